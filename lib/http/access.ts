import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Client } from '@/lib/auth/server/client';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { maySeeFleet } from '@/lib/auth/viewer';
import type { Viewer } from '@/lib/auth/viewer';
import type { Runtime } from './runtime';

/**
 * Access that requires a sign-in. `map`: any viewer with the fleet of the address in scope; `fleet`: the same
 * without wall screens, which need only maps; `account`: any user with an account, including a manager who
 * has to set up a second factor first.
 */
export type SignedInAccess = 'viewer' | 'map' | 'fleet' | 'manager' | 'account';

/**
 * Access without a sign-in. `anyone`: every client; `token`: the bearer of a token that the route itself
 * checks.
 */
export type OpenAccess = 'anyone' | 'token';

export type Access = SignedInAccess | OpenAccess;

/** Requires that a fleet exists and is in the viewer's scope. @throws AppError 'unknown-fleet' */
export const requireFleet = (
  { hasFleet }: Pick<Runtime, 'hasFleet'>,
  viewer: Viewer,
  usdot: string,
): void => {
  if (!maySeeFleet(viewer, usdot) || !hasFleet(usdot)) throw new AppError('unknown-fleet');
};

/**
 * The viewer of a request that is allowed. `usdot` is the text in the address; the route refuses one that is
 * no number.
 *
 * @throws AppError 'sign-in-needed', 'second-factor-needed', 'managers-only', 'not-for-screens',
 * 'unknown-fleet', 'accounts-unavailable'
 */
export const requireAccess = async (
  runtime: Pick<Runtime, 'accounts' | 'hasFleet'>,
  client: Client,
  access: SignedInAccess,
  usdot: string | undefined,
): Promise<Viewer> => {
  const signedIn = await runtime.accounts.authenticate(client);
  if (signedIn === null) throw new AppError('sign-in-needed');
  const { viewer, needsSecondFactor } = signedIn;
  if (access === 'account') {
    if (viewer.kind !== 'user') throw new AppError('managers-only');
    return viewer;
  }
  if (needsSecondFactor) throw new AppError('second-factor-needed');
  if (access === 'manager' && viewer.role !== 'manager') throw new AppError('managers-only');
  if (access === 'fleet' && viewer.kind === 'screen') throw new AppError('not-for-screens');
  if (access === 'fleet' || access === 'map') {
    const number = parseUsdot(usdot ?? '');
    if (number !== null) requireFleet(runtime, viewer, number);
  }
  return viewer;
};
