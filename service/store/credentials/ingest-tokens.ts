import { timingSafeEqual } from 'node:crypto';
import { and, asc, eq, getTableColumns, isNull } from 'drizzle-orm';
import type { Database, Executor } from '@/lib/database/database';
import { credentialInputSchema, parseRows, type CredentialInput } from '../inputs';
import type { CredentialRecord } from './keys';
import { requireCarrier } from '../carriers';
import { ingestTokens } from '../schema';
import {
  createDecoyHash,
  createHashLookup,
  createId,
  createSecret,
  hashSecret,
  isSecretOf,
  toPrefix,
} from './secrets';
import { toLaterUse, type UseLog } from './use-log';

const TOKEN_KIND = 'lh_ingest_';

/** Methods with a `tx` run in that transaction, of any connection to the same database. */
export const createIngestTokenStore = ({ orm, pool }: Database, now: () => number, uses: UseLog) => {
  const decoy = createDecoyHash();

  const findByHash = createHashLookup<{ id: string; usdot: string; hash: Buffer }>(pool, {
    name: 'find-ingest-tokens',
    text: `SELECT id, usdot, token_hash AS "hash"
           FROM tracking.ingest_tokens WHERE token_hash = ANY($1) AND revoked_at_ms IS NULL`,
  });

  return {
    /** A new token for the carrier's devices, returned only here: the store keeps its hash. @throws InvalidRecordError, UnknownCarrierError */
    async create(input: CredentialInput, tx: Executor = orm): Promise<{ id: string; token: string }> {
      const [about] = parseRows('ingest token', credentialInputSchema, [input]);
      await requireCarrier(tx, about!.usdot);
      const id = createId();
      const token = createSecret(TOKEN_KIND);
      await tx.insert(ingestTokens).values({
        ...about!,
        id,
        prefix: toPrefix(token, TOKEN_KIND),
        tokenHash: hashSecret(token),
        createdAtMs: now(),
      });
      return { id, token };
    },

    /** The token's id and carrier; null where it is unknown or revoked. */
    async verify(token: string): Promise<{ id: string; usdot: string } | null> {
      // Text of another form is not looked up: the form is no secret.
      if (!isSecretOf(token, TOKEN_KIND)) return null;
      const tokenHash = hashSecret(token);
      const found = await findByHash(tokenHash);
      const isToken = timingSafeEqual(found?.hash ?? decoy, tokenHash);
      if (found === null || !isToken) return null;
      uses.note(found.id);
      return { id: found.id, usdot: found.usdot };
    },

    async list(usdot?: string, tx: Executor = orm): Promise<CredentialRecord[]> {
      const { tokenHash: _hash, ...columns } = getTableColumns(ingestTokens);
      const tokens = await tx
        .select(columns)
        .from(ingestTokens)
        .where(usdot === undefined ? undefined : eq(ingestTokens.usdot, usdot))
        .orderBy(asc(ingestTokens.createdAtMs), asc(ingestTokens.id));
      return tokens.map((token) => ({
        ...token,
        lastUsedAtMs: toLaterUse(token.lastUsedAtMs, uses.readPending(token.id)),
      }));
    },

    /** Ends a token at once; false where there was none to end. */
    async revoke(id: string, tx: Executor = orm): Promise<boolean> {
      const revoked = await tx
        .update(ingestTokens)
        .set({ revokedAtMs: now() })
        .where(and(eq(ingestTokens.id, id), isNull(ingestTokens.revokedAtMs)))
        .returning({ id: ingestTokens.id });
      return revoked.length > 0;
    },
  };
};
