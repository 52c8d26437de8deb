import { z } from '../zod';
import { personNameSchema } from '../auth/schema';

export const SITE_KINDS = ['yard', 'customer', 'fuel', 'noGo', 'other'] as const;
export type SiteKind = (typeof SITE_KINDS)[number];

export const MAX_SITES = 5000;
export const MAX_CORNERS = 500;
export const MAX_RADIUS_M = 50_000;
export const MAX_MARGIN_M = 1000;
/** How far outside its edge a unit still counts as at a site, against the scatter of receivers. */
export const DEFAULT_MARGIN_M = 75;

const latSchema = z.number().min(-85).max(85);
const lngSchema = z.number().min(-180).max(180);

/** Degrees, WGS 84. A polygon is one ring without its repeated end, and does not cross the 180th meridian. */
export const siteShapeSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('circle'),
    lat: latSchema,
    lng: lngSchema,
    radiusM: z.number().min(10).max(MAX_RADIUS_M),
  }),
  z.strictObject({
    type: z.literal('polygon'),
    corners: z
      .array(z.tuple([latSchema, lngSchema]))
      .min(3, 'A polygon has at least three corners.')
      .max(MAX_CORNERS, `A polygon has at most ${MAX_CORNERS} corners.`),
  }),
]);
export type SiteShape = z.infer<typeof siteShapeSchema>;

const minuteSchema = z
  .number()
  .int()
  .min(0)
  .max(24 * 60);
const weekdaySchema = z.number().int().min(1).max(7);

/** Hours of a week in a time zone. `toMin` at or before `fromMin` is on the next day. */
export const weeklyHoursSchema = z.strictObject({
  timeZone: z.string().min(1).max(60),
  days: z
    .array(
      z.strictObject({
        /** ISO weekdays, 1 is Monday. */
        weekdays: z.array(weekdaySchema).min(1).max(7),
        /** Minutes after midnight. */
        fromMin: minuteSchema,
        toMin: minuteSchema,
      }),
    )
    .min(1)
    .max(14),
});
export type WeeklyHours = z.infer<typeof weeklyHoursSchema>;

/** POST /api/fleets/:usdot/sites, and PATCH of one. */
export const siteInputSchema = z.strictObject({
  name: personNameSchema,
  kind: z.enum(SITE_KINDS),
  color: z.string().regex(/^#[0-9a-f]{6}$/, 'A color is written as #rrggbb.'),
  notes: z.string().trim().max(2000),
  openingHours: weeklyHoursSchema.nullable(),
  marginM: z.number().int().min(0).max(MAX_MARGIN_M),
  shape: siteShapeSchema,
});
export type SiteInput = z.infer<typeof siteInputSchema>;

export const siteSchema = siteInputSchema.extend({ id: z.number().int() });
export type Site = z.infer<typeof siteSchema>;

/** GET /api/fleets/:usdot/sites */
export const sitesSchema = z.object({ sites: z.array(siteSchema) });

/**
 * A visit of a unit, Unix ms: from the first fix inside to the last one inside, where `leftMs` is null while it is open. The
 * unit came after `arrivedAfterMs` and was gone by `leftByMs`; null where no fix outside tells.
 */
export const siteVisitSchema = z.object({
  siteId: z.number().int(),
  unit: z.string(),
  arrivedAfterMs: z.number().nullable(),
  arrivedMs: z.number(),
  leftMs: z.number().nullable(),
  leftByMs: z.number().nullable(),
});
export type SiteVisit = z.infer<typeof siteVisitSchema>;
