import { asc, eq } from 'drizzle-orm';
import type { Endpoint, KeyAccess } from './key-access';
import type { Executor } from '@/lib/database/database';
import { apiKeySecrets, apiKeys } from '../schema';
import { toLaterUse, type UseLog } from './use-log';

/** The record of a key or token, without the secret. */
export interface CredentialRecord {
  id: string;
  usdot: string;
  name: string;
  /** How the secret begins; null where it is older than the column. */
  prefix: string | null;
  createdBy: string | null;
  /** The calling program's id of the user who made the secret; null where it is not known. */
  madeById: string | null;
  createdAtMs: number;
  lastUsedAtMs: number | null;
  revokedAtMs: number | null;
}

export interface KeyRecord extends CredentialRecord {
  access: KeyAccess;
  /** The pair of secrets that the newest one replaced, while it is still valid. */
  replaced: (Pick<CredentialRecord, 'prefix' | 'lastUsedAtMs' | 'madeById'> & { endsAtMs: number }) | null;
}

/** Credentials of this name are the demo's own: each start makes new ones and ends the last start's. */
export const OWN_CREDENTIAL = { name: 'embedded demo', createdBy: 'Linehaul' } as const;

/** Whether the embedded service made a key or token for itself; not one of the same name by a user. */
export const isOwnCredential = ({ name, createdBy }: { name: string; createdBy: string | null }): boolean =>
  // Credentials older than the column have no maker.
  name === OWN_CREDENTIAL.name && (createdBy === OWN_CREDENTIAL.createdBy || createdBy === null);

type Secret = Omit<typeof apiKeySecrets.$inferSelect, 'keyHash' | 'providerTokenHash'>;

const secretColumns = {
  id: apiKeySecrets.id,
  keyId: apiKeySecrets.keyId,
  prefix: apiKeySecrets.prefix,
  madeById: apiKeySecrets.madeById,
  createdAtMs: apiKeySecrets.createdAtMs,
  endsAtMs: apiKeySecrets.endsAtMs,
  lastUsedAtMs: apiKeySecrets.lastUsedAtMs,
};

/** A pair that has an end was replaced; at most one such pair is still valid. */
const findReplaced = (secrets: Secret[], nowMs: number): KeyRecord['replaced'] => {
  for (const { prefix, endsAtMs, lastUsedAtMs, madeById } of secrets)
    if (endsAtMs !== null && endsAtMs > nowMs) return { prefix, endsAtMs, lastUsedAtMs, madeById };
  return null;
};

/** Every key, or those of a carrier, the oldest first. */
export const listKeys = async (
  orm: Executor,
  uses: UseLog,
  usdot: string | undefined,
  nowMs: number,
): Promise<KeyRecord[]> => {
  const ofCarrier = usdot === undefined ? undefined : eq(apiKeys.usdot, usdot);
  const keys = await orm
    .select()
    .from(apiKeys)
    .where(ofCarrier)
    .orderBy(asc(apiKeys.createdAtMs), asc(apiKeys.id));
  const secrets = await orm
    .select(secretColumns)
    .from(apiKeySecrets)
    .innerJoin(apiKeys, eq(apiKeys.id, apiKeySecrets.keyId))
    .where(ofCarrier);
  const byKey = new Map<string, Secret[]>(keys.map(({ id }) => [id, []]));
  for (const secret of secrets) {
    const lastUsedAtMs = toLaterUse(secret.lastUsedAtMs, uses.readPending(secret.id));
    byKey.get(secret.keyId)?.push({ ...secret, lastUsedAtMs });
  }
  return keys.map(({ endpoints, expiresAtMs, allowedNetworks, requestsPerMinute, ...key }) => {
    const own = byKey.get(key.id)!;
    const newest = own.find(({ endsAtMs }) => endsAtMs === null);
    return {
      ...key,
      prefix: newest?.prefix ?? null,
      madeById: newest?.madeById ?? null,
      lastUsedAtMs: own.reduce<number | null>(
        (last, { lastUsedAtMs }) => toLaterUse(last, lastUsedAtMs),
        null,
      ),
      access: { endpoints: endpoints as Endpoint[] | null, expiresAtMs, allowedNetworks, requestsPerMinute },
      replaced: findReplaced(own, nowMs),
    };
  });
};
