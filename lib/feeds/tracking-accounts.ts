import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import type { TrackingClient } from '@/lib/tracking/client';

/** One account of a tracking API, and the client that reads with its key. */
export interface TrackingAccount {
  /** The fleet that it is requested for; the only account may have none, and is used for any. */
  usdot: string | null;
  client: TrackingClient;
  /** It is of Linehaul's own tracking service, which answers more than the contract has. */
  hasExtensions?: boolean;
}

/**
 * The account that a fleet is read with. A single account is used for any fleet: its provider decides what
 * its key may see. With several, a number that belongs to none is rejected, because it would send one
 * carrier's secrets for another's trucks.
 *
 * @throws AppError 'unknown-fleet'
 */
export const requireAccount = <Account extends { usdot: string | null }>(
  accounts: readonly Account[],
  usdot: string,
): Account => {
  const [first, ...others] = accounts;
  const account = others.length === 0 ? first : accounts.find((each) => each.usdot === usdot);
  if (account !== undefined) return account;
  throw new AppError('unknown-fleet');
};
