import { personNameSchema, z } from '@/lib/base/zod';

/** The five endpoints, by the names that a key's access list uses. */
export const ENDPOINT_NAMES = ['units', 'unit', 'vin-numbers', 'carrier', 'carrier-by-vin'] as const;
export type EndpointName = (typeof ENDPOINT_NAMES)[number];

/** The limits of an API key; null means no limit. The service validates the values. */
export const keyAccessSchema = z.strictObject({
  endpoints: z.array(z.enum(ENDPOINT_NAMES)).max(ENDPOINT_NAMES.length).nullable(),
  expiresAtMs: z.int().nullable(),
  /** IP addresses or CIDR blocks. */
  allowedNetworks: z.array(z.string().max(100)).max(100).nullable(),
  requestsPerMinute: z.int('is not a whole number').nullable(),
});
export type KeyAccess = z.infer<typeof keyAccessSchema>;

const credentialShape = {
  id: z.string(),
  usdot: z.string(),
  name: z.string(),
  /** The first characters of the secret; null if unknown. */
  prefix: z.string().nullable(),
  createdBy: z.string().nullable(),
  createdAtMs: z.number(),
  lastUsedAtMs: z.number().nullable(),
  revokedAtMs: z.number().nullable(),
};

export const ingestTokenSchema = z.object(credentialShape);
export type IngestToken = z.infer<typeof ingestTokenSchema>;

export const apiKeySchema = z.object({
  ...credentialShape,
  access: keyAccessSchema,
  /** The previous pair of secrets, while it is still valid. */
  replaced: z
    .object({ prefix: z.string().nullable(), endsAtMs: z.number(), lastUsedAtMs: z.number().nullable() })
    .nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export const servedCarrierSchema = z.object({ usdot: z.string(), companyName: z.string() });
export type ServedCarrier = z.infer<typeof servedCarrierSchema>;

/** GET /api/api-keys */
export const apiKeysSchema = z.object({
  keys: z.array(apiKeySchema),
  /** The carriers for which the viewer can create a key. */
  carriers: z.array(servedCarrierSchema),
  nowMs: z.number(),
});
export type ApiKeys = z.infer<typeof apiKeysSchema>;

const text = z.string().max(1000);

/** POST /api/api-keys */
export const newKeySchema = z.strictObject({ usdot: text, name: text, access: keyAccessSchema });
export type NewKey = z.infer<typeof newKeySchema>;

/** PATCH /api/api-keys/:id */
export const keyChangeSchema = z.strictObject({ name: text, access: keyAccessSchema });
export type KeyChange = z.infer<typeof keyChangeSchema>;

/** A key may make so many requests a minute. */
export const LOAD_KEY_REQUESTS_PER_MINUTE = 600;

/** A key of a program that writes the loads of a fleet, by which nothing else can be read or changed. */
export const loadKeySchema = z.object({ ...credentialShape, expiresAtMs: z.number().nullable() });
export type LoadKey = z.infer<typeof loadKeySchema>;

/** GET /api/load-keys */
export const loadKeysSchema = z.object({ keys: z.array(loadKeySchema), nowMs: z.number() });
export type LoadKeys = z.infer<typeof loadKeysSchema>;

/** POST /api/load-keys */
export const newLoadKeySchema = z.strictObject({
  usdot: z.string().max(20),
  name: personNameSchema,
  expiresAtMs: z.int().max(253_402_300_799_999).nullable(),
});
export type NewLoadKey = z.infer<typeof newLoadKeySchema>;

/** A key for loads, which is returned only once. */
export const issuedLoadKeySchema = z.object({ id: z.string(), key: z.string() });
export type IssuedLoadKey = z.infer<typeof issuedLoadKeySchema>;

export const MAX_OVERLAP_MS = 90 * 86_400_000;

/** POST /api/api-keys/:id/rotate: how long the old secrets remain valid. */
export const rotationSchema = z.strictObject({ overlapMs: z.int().min(0).max(MAX_OVERLAP_MS) });

/** A key's secrets, which are returned only once. */
export const issuedKeySchema = z.object({ id: z.string(), apiKey: z.string(), providerToken: z.string() });
export type IssuedKey = z.infer<typeof issuedKeySchema>;
