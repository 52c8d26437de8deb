import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Database } from './database';
import { createHashLookup } from './hash-lookup';
import type { CredentialRecord } from './keys';
import { requireCarrier } from './require-carrier';
import { ingestTokens } from './schema';
import { createDecoyHash, createId, createSecret, hashSecret, isSameHash } from './secrets';

export interface IngestTokenStore {
  /** A new token for the carrier's devices, shown this once: only its hash is kept. @throws UnknownCarrierError */
  create(input: { usdot: string; name: string }): Promise<{ id: string; token: string }>;
  /** Whose token it is; null where it is unknown or revoked. */
  verify(token: string): Promise<{ id: string; usdot: string } | null>;
  list(usdot?: string): Promise<CredentialRecord[]>;
  /** Ends a token at once; false where there was none to end. */
  revoke(id: string): Promise<boolean>;
}

export const createIngestTokenStore = ({ orm, pool }: Database, now: () => number): IngestTokenStore => {
  const decoy = createDecoyHash();

  const findByHash = createHashLookup<{ id: string; usdot: string; hash: Buffer }>(pool, {
    name: 'find-ingest-tokens',
    text: `SELECT id, usdot, token_hash AS "hash"
           FROM tracking.ingest_tokens WHERE token_hash = ANY($1) AND revoked_at_ms IS NULL`,
  });

  return {
    async create({ usdot, name }) {
      await requireCarrier(orm, usdot);
      const id = createId();
      const token = createSecret('lh_ingest_');
      await orm
        .insert(ingestTokens)
        .values({ id, usdot, name, tokenHash: hashSecret(token), createdAtMs: now() });
      return { id, token };
    },

    async verify(token) {
      const tokenHash = hashSecret(token);
      const found = await findByHash(tokenHash);
      const isToken = isSameHash(found?.hash ?? decoy, tokenHash);
      return found !== null && isToken ? { id: found.id, usdot: found.usdot } : null;
    },

    list: (usdot) =>
      orm
        .select({
          id: ingestTokens.id,
          usdot: ingestTokens.usdot,
          name: ingestTokens.name,
          createdAtMs: ingestTokens.createdAtMs,
          revokedAtMs: ingestTokens.revokedAtMs,
        })
        .from(ingestTokens)
        .where(usdot === undefined ? undefined : eq(ingestTokens.usdot, usdot))
        .orderBy(asc(ingestTokens.createdAtMs), asc(ingestTokens.id)),

    async revoke(id) {
      const revoked = await orm
        .update(ingestTokens)
        .set({ revokedAtMs: now() })
        .where(and(eq(ingestTokens.id, id), isNull(ingestTokens.revokedAtMs)))
        .returning({ id: ingestTokens.id });
      return revoked.length > 0;
    },
  };
};
