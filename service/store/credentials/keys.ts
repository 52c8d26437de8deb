import { asc, eq, and, gt, isNull, or } from 'drizzle-orm';
import type { Endpoint, KeyAccess } from './key-access';
import type { Executor, Database } from '@/lib/database/database';
import { apiKeySecrets, apiKeys } from '../schema';
import { toLaterUse, type UseLog } from './use-log';
import { timingSafeEqual } from 'node:crypto';
import { InvalidRecordError } from '../errors';
import { keyChangeSchema, keyInputSchema, parseRows, type KeyChange, type KeyInput } from '../inputs';
import { requireCarrier } from '../carriers';
import {
  createDecoyHash,
  createHashLookup,
  createId,
  createSecret,
  hashSecret,
  isSecretOf,
  toPrefix,
} from './secrets';

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

export interface IssuedKey {
  id: string;
  apiKey: string;
  providerToken: string;
}

export interface VerifiedKey {
  id: string;
  usdot: string;
  /** When the key expires or this pair of its secrets ends; null for never. */
  endsAtMs: number | null;
  access: Omit<KeyAccess, 'expiresAtMs'>;
}

interface SecretRow {
  id: string;
  usdot: string;
  secretId: string;
  hash: Buffer;
  providerTokenHash: Buffer;
  endsAtMs: number | null;
  endpoints: Endpoint[] | null;
  allowedNetworks: string[] | null;
  requestsPerMinute: number | null;
}

const KEY_KIND = 'lh_key_';
const TOKEN_KIND = 'lh_provider_';

const requireFuture = (expiresAtMs: number | null | undefined, nowMs: number): void => {
  if (expiresAtMs == null || expiresAtMs > nowMs) return;
  const message = 'lies in the past; revoke the key to end it';
  throw new InvalidRecordError('API key', [{ row: 0, field: 'access.expiresAtMs', message }]);
};

const insertSecrets = async (
  tx: Executor,
  {
    keyId,
    madeById,
    createdAtMs,
  }: Pick<typeof apiKeySecrets.$inferSelect, 'keyId' | 'madeById' | 'createdAtMs'>,
): Promise<IssuedKey> => {
  const apiKey = createSecret(KEY_KIND);
  const providerToken = createSecret(TOKEN_KIND);
  await tx.insert(apiKeySecrets).values({
    id: createId(),
    keyId,
    madeById,
    prefix: toPrefix(apiKey, KEY_KIND),
    keyHash: hashSecret(apiKey),
    providerTokenHash: hashSecret(providerToken),
    createdAtMs,
  });
  return { id: keyId, apiKey, providerToken };
};

const endReplaced = async (tx: Executor, keyId: string, nowMs: number): Promise<boolean> => {
  const ended = await tx
    .update(apiKeySecrets)
    .set({ endsAtMs: nowMs })
    .where(and(eq(apiKeySecrets.keyId, keyId), gt(apiKeySecrets.endsAtMs, nowMs)))
    .returning({ id: apiKeySecrets.id });
  return ended.length > 0;
};

/** Changes a key that is not revoked; false where there is none. */
const updateKey = async (
  tx: Executor,
  id: string,
  change: Partial<typeof apiKeys.$inferInsert>,
): Promise<boolean> => {
  const changed = await tx
    .update(apiKeys)
    .set(change)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAtMs)))
    .returning({ id: apiKeys.id });
  return changed.length > 0;
};

/** The key and its access, also of an ended one; null unless both secrets belong together and are not revoked. */
type Verify = (apiKey: string, providerToken: string) => Promise<VerifiedKey | null>;

const createKeyVerifier = ({ pool }: Database, now: () => number, uses: UseLog): Verify => {
  const decoy = { hash: createDecoyHash(), providerTokenHash: createDecoyHash() };
  const findByHash = createHashLookup<SecretRow>(pool, {
    name: 'find-api-keys',
    text: `SELECT keys.id, keys.usdot, secrets.id AS "secretId", secrets.key_hash AS "hash",
             secrets.provider_token_hash AS "providerTokenHash",
             least(keys.expires_at_ms, secrets.ends_at_ms)::float8 AS "endsAtMs",
             keys.endpoints, keys.allowed_networks AS "allowedNetworks",
             keys.requests_per_minute AS "requestsPerMinute"
           FROM tracking.api_key_secrets AS secrets JOIN tracking.api_keys AS keys ON keys.id = secrets.key_id
           WHERE secrets.key_hash = ANY($1) AND keys.revoked_at_ms IS NULL`,
  });

  return async (apiKey, providerToken) => {
    // Text of another form is not looked up: the form is no secret.
    if (!isSecretOf(apiKey, KEY_KIND) || !isSecretOf(providerToken, TOKEN_KIND)) return null;
    const keyHash = hashSecret(apiKey);
    const providerTokenHash = hashSecret(providerToken);
    const found = await findByHash(keyHash);
    // Both are always compared, so that the time taken does not reveal which of the two was wrong.
    const held = found ?? decoy;
    const isKey = timingSafeEqual(held.hash, keyHash);
    const isToken = timingSafeEqual(held.providerTokenHash, providerTokenHash);
    if (found === null || !isKey || !isToken) return null;
    if (found.endsAtMs === null || found.endsAtMs > now()) uses.note(found.secretId);
    const { id, usdot, endsAtMs, endpoints, allowedNetworks, requestsPerMinute } = found;
    return { id, usdot, endsAtMs, access: { endpoints, allowedNetworks, requestsPerMinute } };
  };
};

/**
 * A new key of a carrier that this process alone accepts: it is not stored, so that no other process lists or ends it. Never
 * log it.
 */
export const createProcessKey = (
  usdot: string,
): {
  credentials: Omit<IssuedKey, 'id'>;
  verify: (...secrets: Parameters<Verify>) => VerifiedKey | null;
} => {
  const credentials = { apiKey: createSecret(KEY_KIND), providerToken: createSecret(TOKEN_KIND) };
  const hashes = [hashSecret(credentials.apiKey), hashSecret(credentials.providerToken)] as const;
  const access = { endpoints: null, allowedNetworks: null, requestsPerMinute: null };
  return {
    credentials,
    verify: (apiKey, providerToken) => {
      const isKey = timingSafeEqual(hashes[0], hashSecret(apiKey));
      const isToken = timingSafeEqual(hashes[1], hashSecret(providerToken));
      return isKey && isToken ? { id: 'process', usdot, endsAtMs: null, access } : null;
    },
  };
};

/** Methods with a `tx` run in that transaction, of any connection to the same database. */
export const createKeyStore = (database: Database, now: () => number, uses: UseLog) => {
  const { orm } = database;

  /** A key that is neither revoked nor expired. */
  const isInUse = (id: string) =>
    and(
      eq(apiKeys.id, id),
      isNull(apiKeys.revokedAtMs),
      or(isNull(apiKeys.expiresAtMs), gt(apiKeys.expiresAtMs, now())),
    );

  return {
    /**
     * A new API key with its provider token, returned only here: the store keeps their hashes.
     * @throws InvalidRecordError, UnknownCarrierError
     */
    async create(input: KeyInput, tx: Executor = orm): Promise<IssuedKey> {
      const [key] = parseRows('API key', keyInputSchema, [input]);
      const { access, madeById, ...about } = key!;
      requireFuture(access.expiresAtMs, now());
      await requireCarrier(tx, about.usdot);
      const keyId = createId();
      const createdAtMs = now();
      return tx.transaction(async (inner) => {
        await inner.insert(apiKeys).values({ id: keyId, createdAtMs, ...about, ...access });
        return insertSecrets(inner, { keyId, madeById, createdAtMs });
      });
    },

    verify: createKeyVerifier(database, now, uses),

    list: (usdot?: string, tx: Executor = orm): Promise<KeyRecord[]> => listKeys(tx, uses, usdot, now()),

    /** Changes the name or the access of a key at once; false where there is none in use. @throws InvalidRecordError */
    async change(id: string, change: KeyChange, tx: Executor = orm): Promise<boolean> {
      const [parsed] = parseRows('API key', keyChangeSchema, [change]);
      const { name, access } = parsed!;
      requireFuture(access?.expiresAtMs, now());
      return updateKey(tx, id, { ...(name !== undefined && { name }), ...access });
    },

    /**
     * Gives a key a new pair of secrets. The previous pair stays valid for `overlapMs`, the one before it ends at once; null
     * where there is no key in use.
     * @param madeById as of CredentialRecord
     */
    rotate: (
      id: string,
      overlapMs: number,
      madeById: string | null = null,
      tx: Executor = orm,
    ): Promise<IssuedKey | null> =>
      tx.transaction(async (inner) => {
        const [key] = await inner.select({ id: apiKeys.id }).from(apiKeys).where(isInUse(id)).for('update');
        if (key === undefined) return null;
        const createdAtMs = now();
        await endReplaced(inner, id, createdAtMs);
        await inner
          .update(apiKeySecrets)
          .set({ endsAtMs: createdAtMs + overlapMs })
          .where(and(eq(apiKeySecrets.keyId, id), isNull(apiKeySecrets.endsAtMs)));
        return insertSecrets(inner, { keyId: id, madeById, createdAtMs });
      }),

    /** Ends the previous pair of secrets and keeps the key in use; false where there was none. */
    endReplaced: (id: string, tx: Executor = orm): Promise<boolean> => endReplaced(tx, id, now()),

    /** Ends a key at once; false where there was none to end. */
    revoke: (id: string, tx: Executor = orm): Promise<boolean> => updateKey(tx, id, { revokedAtMs: now() }),
  };
};
