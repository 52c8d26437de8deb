import { z } from 'zod';
import { ingestTokenSchema, servedCarrierSchema } from '../api-keys/schema';

/** A vehicle and the device that reports for it; null where it has none, or has not reported. */
const deviceSchema = z.object({
  vin: z.string(),
  truckNumber: z.string().nullable(),
  deviceId: z.string().nullable(),
  reportedAtMs: z.number().nullable(),
  fixAtMs: z.number().nullable(),
  batteryPercent: z.number().nullable(),
});
export type Device = z.infer<typeof deviceSchema>;

/** GET /api/devices?usdot= */
export const devicesSchema = z.object({
  usdot: z.string(),
  devices: z.array(deviceSchema),
  tokens: z.array(ingestTokenSchema),
  carriers: z.array(servedCarrierSchema),
  nowMs: z.number(),
});
export type Devices = z.infer<typeof devicesSchema>;

const text = z.string().max(1000);

/** POST /api/devices: a vehicle with its device. PATCH: its truck number and device from now on. */
export const vehicleSchema = z.strictObject({
  usdot: text,
  vin: text,
  truckNumber: text.nullable(),
  deviceId: text.nullable(),
});
export type Vehicle = z.infer<typeof vehicleSchema>;

/** A file of a hundred thousand vehicles. */
export const MAX_CSV_BYTES = 16 * 1024 * 1024;

/** POST /api/devices/import: read, and unless it is a preview kept as a whole. */
export const importSchema = z.strictObject({
  usdot: text,
  csv: z.string().max(MAX_CSV_BYTES),
  isPreview: z.boolean(),
});
export type Import = z.infer<typeof importSchema>;

const lineSchema = z.object({ line: z.number(), column: z.string().nullable(), message: z.string() });
export type ImportLine = z.infer<typeof lineSchema>;

export const importResultSchema = z.object({
  isImported: z.boolean(),
  added: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  /** The first ones, and how many there are. */
  faults: z.array(lineSchema),
  faultCount: z.number(),
  warnings: z.array(lineSchema),
  warningCount: z.number(),
});
export type ImportResult = z.infer<typeof importResultSchema>;

/** POST /api/ingest-tokens */
export const newTokenSchema = z.strictObject({ usdot: text, name: text });
export type NewToken = z.infer<typeof newTokenSchema>;

/** A token, told this once. */
export const issuedTokenSchema = z.object({ id: z.string(), token: z.string() });
export type IssuedToken = z.infer<typeof issuedTokenSchema>;
