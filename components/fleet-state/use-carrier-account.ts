import { useFleetList } from '@/lib/fleets/queries';
import type { CarrierAccount } from '@/lib/wire/fleet';
import { useReading, useUsdot } from './fleet-context';

/**
 * The carrier whose account the fleet on the screen is read with; null where that is not known. A fleet's answers name its
 * own carrier alone, because all who may see it read the same: another's is asked for, and told to who may know it.
 */
export const useCarrierAccount = (): CarrierAccount | null => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const own = fleet?.account ?? null;
  const isRead = fleet !== null && fleet.feed.fetchedAtMs !== null;
  const { data } = useFleetList(isRead && own === null);
  if (own !== null || data === undefined) return own;
  return (data.fleets.find((each) => each.usdot === usdot) ?? data.fleets[0])?.account ?? null;
};
