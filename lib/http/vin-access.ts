import 'server-only';
import { AppError, isAppError } from '@/lib/http/problems';
import type { Feed } from '@/lib/live/feeds';
import type { Viewer } from '@/lib/auth/viewer';
import type { Runtime } from './runtime';
import { readUnitDetail } from '../live/feed-requests';

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

/** Fleets that the provider does not show or does not know have no roster. */
const NO_ROSTER: readonly unknown[] = ['TrackingAuthError', 'TrackingNotFoundError'];

const isOnRoster = async (
  readRoster: Runtime['readRoster'],
  usdot: string,
  vin: string,
): Promise<boolean> => {
  try {
    return (await readRoster(usdot)).vins.includes(vin);
  } catch (error) {
    if (NO_ROSTER.includes((error as Error).name)) return false;
    throw error;
  }
};

/**
 * Whether a VIN belongs to a fleet, by its roster or by its units: a viewer of all fleets may request any.
 * For another VIN the answer does not reveal whether a provider knows it.
 *
 * @throws AppError 'unknown-fleet'
 */
export const requireVinOfFleet = async (
  { readRoster, fleets }: Pick<Runtime, 'readRoster' | 'fleets'>,
  viewer: Viewer,
  usdot: string,
  vin: string,
): Promise<void> => {
  if (viewer.usdots === null || (await isLive(fleets.feed(usdot, viewer), vin))) return;
  if (await isOnRoster(readRoster, usdot, vin)) return;
  throw new AppError('unknown-fleet');
};
