import { STOP_KINDS } from '@/lib/arrivals/load';
import { isVisible, z } from '@/lib/base/zod';
import { MAX_SITE_LAT } from '@/lib/rules/site';
import { loadMailsSchema } from './mails';
import { timeSchema } from './times';

export const MAX_STOPS = 20;
/** Loads of a fleet that are under way: each is judged with each poll. */
export const MAX_LOADS = 10_000;
const MAX_TAGS = 20;
/** A stop that is no site is a circle of this radius. */
export const STOP_RADIUS_M = 400;

const textOf = (most: number, what: string) =>
  z
    .string()
    .trim()
    .max(most, `${what} has at most ${most} characters.`)
    .refine(isVisible, `${what} has no line breaks and no invisible characters.`);

export const referenceSchema = textOf(60, 'A reference').min(1, 'Give a reference.');

const instantSchema = z.int().min(0).max(4_102_444_800_000);

const appointmentSchema = z
  .strictObject({ fromMs: instantSchema, toMs: instantSchema })
  .refine(({ fromMs, toMs }) => fromMs <= toMs, 'An appointment ends after it begins.');

/** A stop: at a site of the fleet, or at a place of its own. */
export const stopInputSchema = z
  .strictObject({
    kind: z.enum(STOP_KINDS),
    siteId: z.int32().positive().nullable(),
    place: z
      .strictObject({
        name: textOf(100, 'A name').min(1, 'Name the place.'),
        lat: z.number().min(-MAX_SITE_LAT).max(MAX_SITE_LAT),
        lng: z.number().min(-180).max(180),
        /** The radius of its circle; a town is larger than a dock. */
        radiusM: z.number().min(50).max(20_000).optional(),
      })
      .nullable(),
    address: textOf(300, 'An address').default(''),
    appointment: appointmentSchema.nullable(),
    freeMin: z.int().min(0).max(10_000).nullable().default(null),
    contactName: textOf(100, 'A name').default(''),
    contactPhone: textOf(60, 'A phone number').default(''),
  })
  .refine(({ siteId, place }) => (siteId === null) !== (place === null), 'Give a site or a place.');
export type StopInput = z.infer<typeof stopInputSchema>;

/** POST /api/fleets/:usdot/loads and PUT /api/fleets/:usdot/loads/:id */
export const loadInputSchema = z.strictObject({
  reference: referenceSchema,
  po: textOf(60, 'A PO number').default(''),
  bol: textOf(60, 'A BOL number').default(''),
  customer: textOf(100, 'A name').default(''),
  note: z.string().trim().max(2000, 'A note has at most 2,000 characters.').default(''),
  tags: z.array(textOf(40, 'A tag').min(1)).max(MAX_TAGS).default([]),
  /** Key of its truck; null: none yet. */
  unit: z.string().min(1).max(140).nullable(),
  stops: z
    .array(stopInputSchema)
    .min(1, 'A load has at least one stop.')
    .max(MAX_STOPS, `A load has at most ${MAX_STOPS} stops.`),
  /** Mails to its customer; absent: as they are. */
  mails: loadMailsSchema.optional(),
});
export type LoadInput = z.infer<typeof loadInputSchema>;

/** Loads of one import: each is read, compared and written in one transaction. */
export const MAX_IMPORTED = 1000;
export const MAX_IMPORT_BYTES = 8 * 1024 * 1024;

const { reference, po, bol, customer, unit } = loadInputSchema.shape;
const { kind, siteId, place, address, freeMin, contactName, contactPhone } = stopInputSchema.shape;

/** A stop of a file: what its columns do not have stays as it is stored. */
export const importedStopSchema = z.strictObject({
  siteId: siteId.optional(),
  place: place.unwrap().partial({ name: true }).nullish(),
  address: address.unwrap().optional(),
  appointment: z.strictObject({ from: timeSchema, to: timeSchema }).nullish(),
  freeMin: freeMin.unwrap().optional(),
  contactName: contactName.unwrap().optional(),
  contactPhone: contactPhone.unwrap().optional(),
});
export type ImportedStop = z.infer<typeof importedStopSchema>;

/** A load of a file: what its columns do not have stays as it is stored. */
const importedLoadSchema = z.strictObject({
  ...{ reference, unit: unit.optional() },
  ...{ po: po.unwrap().optional(), bol: bol.unwrap().optional(), customer: customer.unwrap().optional() },
  /** All stops in their order. */
  stops: z.array(importedStopSchema.extend({ kind })).max(MAX_STOPS).optional(),
  /** The first pickup, and the last delivery; null: it is removed. The other stops stay. */
  ...{ pickup: importedStopSchema.nullish(), delivery: importedStopSchema.nullish() },
});
export type ImportedLoad = z.infer<typeof importedLoadSchema>;

/** POST /api/fleets/:usdot/loads/import: all or none, or with `isPreview` none. */
export const loadImportSchema = z.strictObject({
  isPreview: z.boolean(),
  loads: z
    .array(importedLoadSchema)
    .min(1, 'There is no load to import.')
    .max(MAX_IMPORTED, `At most ${MAX_IMPORTED} loads can be imported at once.`),
});
