import 'server-only';
import type { ClientBase, Pool } from 'pg';

/** Another server records the fleet now. */
export class FencedError extends Error {
  override name = 'FencedError';
}

const RAISE = `
  INSERT INTO linehaul.fleet_fences AS f (usdot, fence) VALUES ($1, $2)
  ON CONFLICT (usdot) DO UPDATE SET fence = EXCLUDED.fence WHERE f.fence <= EXCLUDED.fence
  RETURNING fence`;

/**
 * Fails where a server with a greater fencing number has claimed the fleet; later writes with a smaller one than `fence`
 * fail. In a transaction it locks the fleet's row until the end, so that a claim waits for writes in progress.
 *
 * @throws FencedError
 */
export const requireFence = async (
  client: Pick<ClientBase | Pool, 'query'>,
  usdot: string,
  fence: number,
): Promise<void> => {
  const { rowCount } = await client.query(RAISE, [usdot, fence]);
  if (rowCount === 0)
    throw new FencedError(`Got fence ${fence} of USDOT ${usdot} when another server has a greater one.`);
};
