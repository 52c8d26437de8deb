import { z } from 'zod';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { isPrintable } from '@/lib/identity/text';
import { parseVin } from '@/lib/identity/vin';
import { keyAccessSchema } from './credentials/key-access';
import { InvalidRecordError } from './errors';
import {
  FULL_BATTERY_PERCENT,
  MAX_ACCURACY_M,
  MAX_ALARM_CHARACTERS,
  MAX_ALTITUDE_M,
  MAX_ODOMETER_M,
  MAX_SPEED_KPH,
  MAX_TIME_MS,
  MIN_ALTITUDE_M,
} from './schema';

export const MAX_TEXT_CHARACTERS = 200;
export const YEARS = { first: 1900, last: 2100 };

const text = z
  .string()
  .trim()
  .min(1, 'is empty')
  .max(MAX_TEXT_CHARACTERS, `is longer than ${MAX_TEXT_CHARACTERS} characters`)
  .refine(isPrintable, 'holds a character that cannot be seen');

const optionalText = text.nullable().default(null);

/** A text that a parser reads, which returns null for any other. */
const parsedText = (parse: (text: string) => string | null, message: string) =>
  z.string().transform((given, context) => {
    const value = parse(given);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const usdotSchema = parsedText(parseUsdot, 'is not a USDOT number (1 to 8 digits)');
const vinSchema = parsedText(parseVin, 'is not a VIN (17 letters and digits, no I, O or Q)');

export const carrierInputSchema = z.object({
  usdot: usdotSchema,
  companyName: text,
  companyId: text,
  mcNumber: optionalText,
});
export type CarrierInput = z.input<typeof carrierInputSchema>;
export type Carrier = z.output<typeof carrierInputSchema>;

export const vehicleInputSchema = z.object({
  usdot: usdotSchema,
  vin: vinSchema,
  truckNumber: optionalText,
  deviceId: optionalText,
  plateState: optionalText,
  plateNumber: optionalText,
  assetType: optionalText,
  make: optionalText,
  model: optionalText,
  year: z
    .int()
    .min(YEARS.first, `is before ${YEARS.first}`)
    .max(YEARS.last, `is after ${YEARS.last}`)
    .nullable()
    .default(null),
  fuelType: optionalText,
  /** The carrier that the vehicle is registered to, where that is not the fleet it drives in. */
  registeredUsdot: usdotSchema.nullable().default(null),
  registeredMcNumber: optionalText,
});
export type VehicleInput = z.input<typeof vehicleInputSchema>;
export type Vehicle = z.output<typeof vehicleInputSchema>;

/**
 * A new credential. `createdBy` is text for people, such as the name of the person who made it; `madeById` is the calling
 * program's id of that user, which the service stores and returns without using it.
 */
export const credentialInputSchema = z.object({
  usdot: usdotSchema,
  name: text,
  createdBy: optionalText,
  madeById: optionalText,
});
export type CredentialInput = z.input<typeof credentialInputSchema>;

export const keyInputSchema = credentialInputSchema.extend({ access: keyAccessSchema.prefault({}) });
export type KeyInput = z.input<typeof keyInputSchema>;

/** A change of a key: its name, or its access as a whole. */
export const keyChangeSchema = z
  .object({ name: text, access: keyAccessSchema })
  .partial()
  .refine(({ name, access }) => name !== undefined || access !== undefined, 'names nothing to change');
export type KeyChange = z.input<typeof keyChangeSchema>;

export const fixInputSchema = z.object({
  deviceId: z.string(),
  fixAtMs: z.int().min(0).max(MAX_TIME_MS),
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  speedKph: z.number().min(0).max(MAX_SPEED_KPH).nullable(),
  headingDeg: z.number().min(0).max(360).nullable(),
  altitudeM: z.number().min(MIN_ALTITUDE_M).max(MAX_ALTITUDE_M).nullable(),
  accuracyM: z.number().min(0).max(MAX_ACCURACY_M).nullable(),
  batteryPercent: z.number().min(0).max(FULL_BATTERY_PERCENT).nullable(),
  isIgnitionOn: z.boolean().nullable().default(null),
  odometerM: z.number().min(0).max(MAX_ODOMETER_M).nullable().default(null),
  alarm: z.string().min(1).max(MAX_ALARM_CHARACTERS).refine(isPrintable).nullable().default(null),
});
/**
 * One position of a device: Unix ms, WGS 84 degrees, its speed, course, altitude, accuracy (radius) and battery, and the
 * ignition, odometer and alarm of the vehicle, each null where it is unknown.
 */
export type FixInput = z.input<typeof fixInputSchema>;

/** A report of a device: a fix or, where it has no position, that the device was heard. */
export const reportInputSchema = fixInputSchema.extend({
  lat: fixInputSchema.shape.lat.nullable(),
  lng: fixInputSchema.shape.lng.nullable(),
  /** Further ids of the device, tried in this order where no vehicle has the first. */
  otherDeviceIds: z.array(z.string()).optional(),
});
export type ReportInput = z.input<typeof reportInputSchema>;
export type Report = z.output<typeof reportInputSchema>;

/**
 * The validated rows.
 *
 * @throws InvalidRecordError naming every fault by row (from 0) and field.
 */
export const parseRows = <S extends z.ZodType>(
  what: string,
  schema: S,
  rows: readonly unknown[],
): z.output<S>[] => {
  const faults: InvalidRecordError['faults'] = [];
  const parsed: z.output<S>[] = [];
  rows.forEach((value, row) => {
    const result = schema.safeParse(value);
    if (result.success) parsed.push(result.data);
    else
      for (const issue of result.error.issues)
        faults.push({ row, field: issue.path.join('.'), message: issue.message });
  });
  if (faults.length > 0) throw new InvalidRecordError(what, faults);
  return parsed;
};
