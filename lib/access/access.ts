import 'server-only';
import { AppError, isAppError } from '@/lib/base/http/problems';
import { type Client, type Viewer, maySeeFleet } from '@/lib/base/viewer';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { parseVin } from '@/lib/identity/vin';
import type { Executor } from '@/lib/database/database';
import type { Feed } from '@/lib/feeds/feeds';
import { isTrackingError } from '@/lib/tracking/errors';
import { readUnitDetail } from '@/lib/feeds/feed-requests';
import { requireSeenUnit } from './unit-limit';

/**
 * Access that requires a sign-in. `map`: any viewer with the fleet of the address in scope; `units`: the same
 * without wall screens, which need only maps; `fleet`: the same without users who see only the units with some
 * tags; `account`: any user with an account, including a manager who has to set up a second factor first.
 *
 * A route of `map` or `units` answers only about units that the viewer sees (lib/access/unit-limit.ts); that of its
 * address has been checked.
 */
export type SignedInAccess = 'viewer' | 'map' | 'units' | 'fleet' | 'manager' | 'account';

/** The variable parts of an address that access depends on, as text. */
export interface AccessParams {
  usdot?: unknown;
  vin?: unknown;
  key?: unknown;
}

/** Access without a sign-in: `anyone` is every client, `token` the bearer of a token that the route itself checks. */
export type OpenAccess = 'anyone' | 'token';

export interface Authenticated {
  viewer: Viewer;
  /** Null if the request has no session. */
  sessionId: string | null;
  /** The viewer may only set up a second factor. */
  needsSecondFactor: boolean;
}

/** The parts of the server that decide access. */
interface AccessSource {
  auth: { authenticate: (client: Client) => Promise<Authenticated | null> };
  database: { open: () => Promise<{ orm: Executor }> };
  hasFleet: (usdot: string) => boolean;
}

/** Requires that a fleet exists and is in the viewer's scope. @throws AppError 'unknown-fleet' */
export const requireFleet = (
  { hasFleet }: Pick<AccessSource, 'hasFleet'>,
  viewer: Viewer,
  usdot: string,
): void => {
  if (!maySeeFleet(viewer, usdot) || !hasFleet(usdot)) throw new AppError('unknown-fleet');
};

/** Requires that the fleet of an address, and its unit if it names one, are in the viewer's scope. */
const requireInScope = async (
  source: Omit<AccessSource, 'auth'>,
  viewer: Viewer,
  { usdot, vin, key }: AccessParams,
): Promise<void> => {
  const number = parseUsdot(String(usdot ?? ''));
  // The route refuses a text that is no number, and one that is no VIN.
  if (number === null) return;
  requireFleet(source, viewer, number);
  const unit = vin === undefined ? key : parseVin(String(vin));
  if (typeof unit === 'string') await requireSeenUnit(source.database, viewer, number, unit);
};

/**
 * The viewer of a request that is allowed.
 * @throws AppError 'sign-in-needed', 'second-factor-needed', 'managers-only', 'not-for-screens', 'whole-fleet-only',
 * 'unknown-fleet', 'unknown-unit', 'accounts-unavailable'
 */
export const requireAccess = async (
  source: AccessSource,
  client: Client,
  access: SignedInAccess,
  params: AccessParams,
): Promise<Viewer> => {
  const signedIn = await source.auth.authenticate(client);
  if (signedIn === null) throw new AppError('sign-in-needed');
  const { viewer, needsSecondFactor } = signedIn;
  if (access === 'account') {
    if (viewer.kind !== 'user') throw new AppError('managers-only');
    return viewer;
  }
  if (needsSecondFactor) throw new AppError('second-factor-needed');
  if (access === 'manager' && viewer.role !== 'manager') throw new AppError('managers-only');
  if (access === 'viewer' || access === 'manager') return viewer;
  if (access !== 'map' && viewer.kind === 'screen') throw new AppError('not-for-screens');
  await requireInScope(source, viewer, params);
  if (access === 'fleet' && viewer.tags !== null) throw new AppError('whole-fleet-only');
  return viewer;
};

/** Whether a unit of a fleet drives under the VIN, on the roster or not. */
const isLive = async (feed: Feed, vin: string): Promise<boolean> => {
  try {
    await readUnitDetail(feed, vin);
    return true;
  } catch (error) {
    if (isAppError(error, 'unknown-unit')) return false;
    throw error;
  }
};

type ReadRoster = (usdot: string) => Promise<{ vins: readonly string[] }>;

const isOnRoster = async (readRoster: ReadRoster, usdot: string, vin: string): Promise<boolean> => {
  try {
    return (await readRoster(usdot)).vins.includes(vin);
  } catch (error) {
    // A fleet that the provider does not show or does not know has no roster.
    if (isTrackingError(error, 'unauthorized', 'forbidden', 'notFound')) return false;
    throw error;
  }
};

/**
 * Whether a VIN is of a fleet, by its roster or units, without revealing any other; a viewer of all fleets may request any.
 * @throws AppError 'unknown-fleet'
 */
export const requireVinOfFleet = async (
  {
    readRoster,
    fleets,
  }: { readRoster: ReadRoster; fleets: { feed: (usdot: string, viewer: Viewer) => Feed } },
  viewer: Viewer,
  usdot: string,
  vin: string,
): Promise<void> => {
  if (viewer.usdots === null || (await isLive(fleets.feed(usdot, viewer), vin))) return;
  if (await isOnRoster(readRoster, usdot, vin)) return;
  throw new AppError('unknown-fleet');
};
