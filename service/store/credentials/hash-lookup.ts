import type { Pool } from 'pg';
import { createBatcher } from '../batcher';

const LOOKUPS_A_QUERY = 500;

/**
 * Finds the row of a hash, or null. Every lookup asks the database, so that a revocation by any process
 * holds at once; lookups made at the same time share the asking.
 *
 * `query` takes the hashes as its one parameter, a bytea[], and answers each row's own in `hash`.
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
