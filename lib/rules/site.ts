import { z, timeZoneSchema, personNameSchema } from '@/lib/base/zod';
import { polygonFault } from './polygon';

export const SITE_KINDS = ['yard', 'customer', 'fuel', 'noGo', 'other'] as const;
export type SiteKind = (typeof SITE_KINDS)[number];

export const MAX_CORNERS = 500;

export const MIN_RADIUS_M = 10;
export const MAX_RADIUS_M = 50_000;
/** The latitude up to which the map reaches. */
export const MAX_SITE_LAT = 85;
export const MAX_MARGIN_M = 1000;
/** How far outside its edge a unit still counts as at a site, against the scatter of receivers. */
export const DEFAULT_MARGIN_M = 75;

const within = (least: number, most: number, message: string) =>
  z.number(message).min(least, message).max(most, message);
const latSchema = within(-MAX_SITE_LAT, MAX_SITE_LAT, 'A latitude is a number from -85 to 85.');
const lngSchema = within(-180, 180, 'A longitude is a number from -180 to 180.');

/** Degrees, WGS 84. A polygon is a ring without its repeated end; wider than 180° it crosses the 180th meridian. */
export const siteShapeSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('circle'),
      lat: latSchema,
      lng: lngSchema,
      radiusM: within(MIN_RADIUS_M, MAX_RADIUS_M, 'A radius is from 10 m (33 ft) to 50 km (31 mi).'),
    }),
    z.strictObject({
      type: z.literal('polygon'),
      corners: z
        .array(z.tuple([latSchema, lngSchema]))
        .min(3, 'A polygon has at least three corners.')
        .max(MAX_CORNERS, `A polygon has at most ${MAX_CORNERS} corners.`)
        .superRefine((corners, context) => {
          const message = corners.length < 3 ? null : polygonFault(corners);
          if (message !== null) context.addIssue({ code: 'custom', message });
        }),
    }),
  ],
  'Draw the site on the map, or enter its numbers.',
);
export type SiteShape = z.infer<typeof siteShapeSchema>;

const minuteSchema = z
  .number()
  .int()
  .min(0)
  .max(24 * 60);
const weekdaySchema = z.number().int().min(1).max(7);

/** Hours of a week in a time zone. `toMin` at or before `fromMin` is on the next day. */
export const weeklyHoursSchema = z.strictObject({
  timeZone: timeZoneSchema,
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

/** POST /api/fleets/:usdot/sites. */
export const siteInputSchema = z.strictObject({
  name: personNameSchema,
  kind: z.enum(SITE_KINDS),
  color: z.string().regex(/^#[0-9a-f]{6}$/, 'A color is written as #rrggbb.'),
  notes: z.string().trim().max(2000, 'Notes have at most 2,000 characters.'),
  openingHours: weeklyHoursSchema.nullable(),
  marginM: within(0, MAX_MARGIN_M, 'A margin is from 0 to 1,000 m.').int('A margin is whole meters.'),
  shape: siteShapeSchema,
});
export type SiteInput = z.infer<typeof siteInputSchema>;

export interface Site extends SiteInput {
  id: number;
  /** It is the circle of a load's stop, which no rule is about. */
  isOfLoad?: boolean;
}

/**
 * A visit of a unit, Unix ms: from the first fix inside to the last one inside, where `leftMs` is null while it is open. The
 * unit came after `arrivedAfterMs` and was gone by `leftByMs`; null where no fix outside tells. Inside means within the edge: the margin keeps a visit, and no time
 * is counted by it.
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
