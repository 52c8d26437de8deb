import { z } from '../zod';
import { ingestTokenSchema, servedCarrierSchema } from '../api-keys/schema';

/** A vehicle and the device that reports for it; null if it has no device, or no report yet. */
const deviceSchema = z.object({
  vin: z.string(),
  truckNumber: z.string().nullable(),
  deviceId: z.string().nullable(),
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
  tokens: z.array(ingestTokenSchema),
  carriers: z.array(servedCarrierSchema),
  nowMs: z.number(),
});
export type Devices = z.infer<typeof devicesSchema>;

const text = z.string().max(1000);

/** POST /api/devices: a vehicle with its device. PATCH: its new truck number and device. */
export const vehicleSchema = z.strictObject({
  usdot: text,
  vin: text,
  truckNumber: text.nullable(),
  deviceId: text.nullable(),
});
export type Vehicle = z.infer<typeof vehicleSchema>;

/** The size of a file of a hundred thousand vehicles. */
export const MAX_CSV_BYTES = 16 * 1024 * 1024;

/** POST /api/devices/import: parses the file and, unless it is a preview, imports all of it or nothing. */
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
  /** The first faults, and their total count. */
  faults: z.array(lineSchema),
  faultCount: z.number(),
  warnings: z.array(lineSchema),
  warningCount: z.number(),
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
