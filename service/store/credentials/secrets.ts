import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { createBatcher } from '@/lib/database/batcher';

const SECRET_BYTES = 32;
/** The length of a secret in base64url, without padding. */
const SECRET_CHARACTERS = Math.ceil((SECRET_BYTES * 4) / 3);
const BASE64URL = /^[\w-]+$/;

/**
 * A new secret of 256 random bits, base64url after a prefix that names its kind. With that entropy a plain SHA-256 of it
 * is safe to store.
 */
export const createSecret = (prefix: string): string =>
  prefix + randomBytes(SECRET_BYTES).toString('base64url');

/** Random characters of a secret that are shown to recognize it; 220 of its 256 bits stay unknown. */
const SHOWN_CHARACTERS = 6;

/** The beginning of a secret, shown to recognize it. */
export const toPrefix = (secret: string, kind: string): string =>
  secret.slice(0, kind.length + SHOWN_CHARACTERS);

/** Whether a text has the form of a secret of that kind, so that anything else need not be looked for. */
export const isSecretOf = (text: string, kind: string): boolean =>
  text.length === kind.length + SECRET_CHARACTERS && text.startsWith(kind) && BASE64URL.test(text);

export const createId = (): string => randomBytes(8).toString('hex');

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** A hash that no secret has. Unknown keys are compared with it, so that they take the same time. */
export const createDecoyHash = (): Buffer => randomBytes(32);

const LOOKUPS_A_QUERY = 500;

/**
 * Finds the row of a hash, or null. Every lookup queries the database, so that a revocation by any process holds at once;
 * concurrent lookups share one query.
 *
 * `query` takes the hashes as its one parameter, a bytea[], and returns each row's own in `hash`.
 */
export const createHashLookup = <Row extends { hash: Buffer }>(
  pool: Pool,
  query: { name: string; text: string },
) =>
  createBatcher<Buffer, Row | null>({
    maxWeight: LOOKUPS_A_QUERY,
    async run(hashes) {
      const { rows } = await pool.query<Row>({ ...query, values: [hashes] });
      const byHash = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
      return hashes.map((hash) => byHash.get(hash.toString('hex')) ?? null);
    },
  });
