import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Client } from '@/lib/auth/server/client';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { maySeeFleet } from '@/lib/auth/viewer';
import type { Viewer } from '@/lib/auth/viewer';
import type { Runtime } from './runtime';

/**
 * Who may ask, where somebody has to be signed in; `map`: whoever may see the fleet that the address names; `fleet`: the
 * same but for wall screens, which need maps alone; `account`: who has an account, also a manager who has to set up a
 * second factor before anything else.
 */
export type SignedInAccess = 'viewer' | 'map' | 'fleet' | 'manager' | 'account';

/** Who may ask without signing in: `anyone`; `token`: who bears one that the route checks itself. */
export type OpenAccess = 'anyone' | 'token';

export type Access = SignedInAccess | OpenAccess;

/** Whether a viewer may see a fleet, and there is one. @throws AppError 'unknown-fleet' */
export const requireFleet = (
  { hasFleet }: Pick<Runtime, 'hasFleet'>,
  viewer: Viewer,
  usdot: string,
): void => {
  if (!maySeeFleet(viewer, usdot) || !hasFleet(usdot)) throw new AppError('unknown-fleet');
};

/**
 * Whose request it is, once it is known that they may make it. `usdot` is that of the address, as it stands there; one
 * that is no number is for the route to refuse.
 *
 * @throws AppError 'sign-in-needed', 'second-factor-needed', 'managers-only', 'not-for-screens', 'unknown-fleet', 'accounts-unavailable'
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
