import { timeZoneSchema, z } from '@/lib/base/zod';
import { personNameSchema } from '../auth/schema';
import { polygonFault } from '@/lib/rules/geometry/polygon';

export const SITE_KINDS = ['yard', 'customer', 'fuel', 'noGo', 'other'] as const;
export type SiteKind = (typeof SITE_KINDS)[number];

export const MAX_SITES = 5000;
export const MAX_CORNERS = 500;
/** Of all polygons of a fleet. */
export const MAX_FLEET_CORNERS = 100_000;
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

/**
 * Degrees, WGS 84. A polygon is one ring without its repeated end; one that is wider than 180° goes across the 180th meridian.
 */
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

/** PATCH /api/fleets/:usdot/sites/:id: what is left out stays as it is. */
export const siteChangeSchema = siteInputSchema.partial();
export type SiteChange = z.infer<typeof siteChangeSchema>;

/** A site of a file. What is left out stays as it is for a site of that name, and has its default for a new one. */
export const importedSiteSchema = siteInputSchema.partial().required({ name: true, shape: true });
export type ImportedSite = z.infer<typeof importedSiteSchema>;

export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;

/** POST /api/fleets/:usdot/sites/import: adds the sites, and changes those that have their names; all of them or none. */
export const siteImportSchema = z.strictObject({
  sites: z
    .array(importedSiteSchema)
    .min(1, 'There is no site to import.')
    .max(MAX_SITES, `A fleet has at most ${MAX_SITES} sites.`)
    .superRefine((sites, context) => {
      const firstOf = new Map<string, number>();
      sites.forEach(({ name }, index) => {
        const first = firstOf.get(name);
        if (first === undefined) firstOf.set(name, index);
        else
          context.addIssue({
            code: 'custom',
            path: [index, 'name'],
            message: `Another site is “${name}” too.`,
          });
      });
    }),
});

/** The answer to an import: how many sites it added, changed and left as they were. */
export const importedCountsSchema = z.object({
  added: z.number().int(),
  changed: z.number().int(),
  unchanged: z.number().int(),
});
export type ImportedCounts = z.infer<typeof importedCountsSchema>;

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
