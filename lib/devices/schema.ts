import { z } from '@/lib/base/zod';
import { CONTACT_PARTS } from '../contacts/contact';
import { ingestTokenSchema, servedCarrierSchema } from '../api-keys/schema';

/** A vehicle and the device that reports for it; null if it has no device, or no report yet. */
const deviceSchema = z.object({
  vin: z.string(),
  truckNumber: z.string().nullable(),
  deviceId: z.string().nullable(),
  plateState: z.string().nullable(),
  plateNumber: z.string().nullable(),
  assetType: z.string().nullable(),
  make: z.string().nullable(),
  model: z.string().nullable(),
  year: z.number().nullable(),
  fuelType: z.string().nullable(),
  registeredUsdot: z.string().nullable(),
  registeredMcNumber: z.string().nullable(),
  reportedAtMs: z.number().nullable(),
  fixAtMs: z.number().nullable(),
  batteryPercent: z.number().nullable(),
  /** When its newest report without a position arrived. */
  heardAtMs: z.number().nullable(),
});
export type Device = z.infer<typeof deviceSchema>;

/** GET /api/devices?usdot= */
export const devicesSchema = z.object({
  usdot: z.string(),
  devices: z.array(deviceSchema),
  /** Whom to call about them. */
  contacts: z.array(z.object({ unit: z.string(), ...CONTACT_PARTS })),
  tokens: z.array(ingestTokenSchema),
  carriers: z.array(servedCarrierSchema),
  nowMs: z.number(),
});
export type Devices = z.infer<typeof devicesSchema>;

const text = z.string().max(1000);

/** The query of lists of one carrier; without it, of the carrier on the map. */
export const carrierQuerySchema = z.object({ usdot: z.string().optional() });

const optionalText = text.nullable().optional();

/**
 * POST /api/devices: a vehicle with its device. PATCH: its new fields; those that are left out stay as they are. One
 * without a device gets an identifier of its own.
 */
export const vehicleSchema = z.strictObject({
  usdot: text,
  vin: text,
  truckNumber: text.nullable(),
  deviceId: text.nullable(),
  plateState: optionalText,
  plateNumber: optionalText,
  assetType: optionalText,
  make: optionalText,
  model: optionalText,
  year: z.number('Enter a year such as 2022.').nullable().optional(),
  fuelType: optionalText,
  /** The carrier that it is registered to, where that is another one. */
  registeredUsdot: optionalText,
  registeredMcNumber: optionalText,
  contact: z.strictObject(CONTACT_PARTS).optional(),
});
export type Vehicle = z.infer<typeof vehicleSchema>;

/** DELETE /api/devices: a vehicle that is removed with all that it has reported. */
export const removedVehicleSchema = z.strictObject({ usdot: text, vin: text });
export type RemovedVehicle = z.infer<typeof removedVehicleSchema>;

/**
 * The identifiers that a vehicle without a device may be given, the preferred one first: the last eight characters of
 * its VIN, by which shops and parts counters know a truck; its whole VIN, where another vehicle has those.
 */
const listOwnDeviceIds = (vin: string): string[] => {
  const whole = `truck-${vin.toLowerCase()}`;
  return [`truck-${vin.slice(-8).toLowerCase()}`, whole, ...[2, 3, 4, 5].map((n) => `${whole}-${n}`)];
};

/** Whether a vehicle has no device but the identifier that it was given here. */
export const isOwnDeviceId = (vin: string, deviceId: string): boolean =>
  listOwnDeviceIds(vin).includes(deviceId);

/** The identifier of a vehicle without a device, which had `before`; null if each one is taken. */
export const toOwnDeviceId = (
  vin: string,
  before: string | null,
  isTaken: (id: string) => boolean,
): string | null => {
  const ids = listOwnDeviceIds(vin);
  const first = before !== null && ids.includes(before) ? [before] : [];
  return [...first, ...ids].find((id) => !isTaken(id)) ?? null;
};

/** Rows of a kind in the answer to an import, at most. */
export const MAX_RETURNED_ROWS = 200;

/** The size of a CSV file of a hundred thousand vehicles. */
export const MAX_FILE_MB = 16;
export const MAX_FILE_BYTES = MAX_FILE_MB * 1024 * 1024;

/** POST /api/devices/import: previews a file (CSV or XLSX), and imports all of it or nothing if that preview is `confirmed`. */
export const importSchema = z.strictObject({
  usdot: text,
  /** The bytes in base64. */
  file: z.string().max(Math.ceil(MAX_FILE_BYTES / 3) * 4, `The file is larger than ${MAX_FILE_MB} MB.`),
  confirmed: text.nullable(),
});
export type Import = z.infer<typeof importSchema>;

const lineSchema = z.object({ line: z.number(), column: z.string().nullable(), message: z.string() });
export type ImportLine = z.infer<typeof lineSchema>;

const cell = z.union([z.string(), z.number()]).nullable();
const importedVehicleSchema = z.object({
  line: z.number(),
  vin: z.string(),
  truckNumber: z.string().nullable(),
  deviceId: z.string().nullable(),
  /** "2022 Kenworth T680", as it will be recorded. */
  about: z.string().nullable(),
  /** Whom to call, in one line; empty: not given. */
  contact: z.string(),
  /** "1992 or 2022 Kenworth", if its make or year are filled in from the VIN. */
  filledFrom: z.string().nullable(),
  changes: z.array(z.object({ column: z.string(), before: cell, after: cell })),
});
export type ImportedVehicle = z.infer<typeof importedVehicleSchema>;

/** The first rows of a kind, and their total count. */
const listOf = <Row extends z.ZodType>(row: Row) => z.object({ count: z.number(), rows: z.array(row) });

export const importResultSchema = z.object({
  id: z.string(),
  isImported: z.boolean(),
  /** Vehicles changed since the confirmed preview, so nothing was imported; this is the preview as of now. */
  isOutdated: z.boolean(),
  added: listOf(importedVehicleSchema),
  changed: listOf(importedVehicleSchema),
  unchanged: listOf(importedVehicleSchema),
  faults: listOf(lineSchema),
  duplicates: listOf(lineSchema),
  warnings: listOf(lineSchema),
});
export type ImportResult = z.infer<typeof importResultSchema>;

/** POST /api/ingest-tokens */
export const newTokenSchema = z.strictObject({ usdot: text, name: text });
export type NewToken = z.infer<typeof newTokenSchema>;

/** An ingest token, which is returned only once. */
export const issuedTokenSchema = z.object({ id: z.string(), token: z.string() });
export type IssuedToken = z.infer<typeof issuedTokenSchema>;

const refusalSchema = z.object({
  atMs: z.number(),
  tokenName: z.string(),
  protocol: z.string(),
  /** The code of the answer that the device got, and its detail. */
  code: z.string(),
  detail: z.string(),
  /** The device that no vehicle has, if that is the reason. */
  deviceId: z.string().nullable(),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** GET /api/refused-reports?usdot= */
export const refusalsSchema = z.object({
  usdot: z.string(),
  refusals: z.array(refusalSchema),
  carriers: z.array(servedCarrierSchema),
  nowMs: z.number(),
});
export type Refusals = z.infer<typeof refusalsSchema>;
