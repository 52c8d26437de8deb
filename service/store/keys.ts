import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Database } from './database';
import { createHashLookup } from './hash-lookup';
import { requireCarrier } from './require-carrier';
import { apiKeys } from './schema';
import { createDecoyHash, createId, createSecret, hashSecret, isSameHash } from './secrets';

export interface KeyStore {
  /** A new API key with its provider token, shown this once: only their hashes are kept. @throws UnknownCarrierError */
  create(input: {
    usdot: string;
    name: string;
  }): Promise<{ id: string; apiKey: string; providerToken: string }>;
  /** Whose key it is; null unless both belong together and are not revoked. */
  verify(apiKey: string, providerToken: string): Promise<{ id: string; usdot: string } | null>;
  list(usdot?: string): Promise<CredentialRecord[]>;
  /** Ends a key at once; false where there was none to end. */
  revoke(id: string): Promise<boolean>;
}

/** What is kept of a key or token, for people: never the secret. */
export interface CredentialRecord {
  id: string;
  usdot: string;
  name: string;
  createdAtMs: number;
  revokedAtMs: number | null;
}

interface KeyRow {
  id: string;
  usdot: string;
  hash: Buffer;
  providerTokenHash: Buffer;
}

export const createKeyStore = ({ orm, pool }: Database, now: () => number): KeyStore => {
  const decoy = { hash: createDecoyHash(), providerTokenHash: createDecoyHash() };

  const findByHash = createHashLookup<KeyRow>(pool, {
    name: 'find-api-keys',
    text: `SELECT id, usdot, key_hash AS "hash", provider_token_hash AS "providerTokenHash"
           FROM tracking.api_keys WHERE key_hash = ANY($1) AND revoked_at_ms IS NULL`,
  });

  return {
    async create({ usdot, name }) {
      await requireCarrier(orm, usdot);
      const id = createId();
      const apiKey = createSecret('lh_key_');
      const providerToken = createSecret('lh_provider_');
      await orm.insert(apiKeys).values({
        id,
        usdot,
        name,
        keyHash: hashSecret(apiKey),
        providerTokenHash: hashSecret(providerToken),
        createdAtMs: now(),
      });
      return { id, apiKey, providerToken };
    },

    async verify(apiKey, providerToken) {
      const keyHash = hashSecret(apiKey);
      const providerTokenHash = hashSecret(providerToken);
      const found = await findByHash(keyHash);
      // Both are always compared, so that the time taken does not say which of the two was wrong.
      const held = found ?? decoy;
      const isKey = isSameHash(held.hash, keyHash);
      const isToken = isSameHash(held.providerTokenHash, providerTokenHash);
      return found !== null && isKey && isToken ? { id: found.id, usdot: found.usdot } : null;
    },

    list: (usdot) =>
      orm
        .select({
          id: apiKeys.id,
          usdot: apiKeys.usdot,
          name: apiKeys.name,
          createdAtMs: apiKeys.createdAtMs,
          revokedAtMs: apiKeys.revokedAtMs,
        })
        .from(apiKeys)
        .where(usdot === undefined ? undefined : eq(apiKeys.usdot, usdot))
        .orderBy(asc(apiKeys.createdAtMs), asc(apiKeys.id)),

    async revoke(id) {
      const revoked = await orm
        .update(apiKeys)
        .set({ revokedAtMs: now() })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAtMs)))
        .returning({ id: apiKeys.id });
      return revoked.length > 0;
    },
  };
};
