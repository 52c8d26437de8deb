import { useFleetList } from '@/lib/fleets/queries';
import type { CarrierAccount } from '@/lib/wire/fleet';
import { useReading, useUsdot } from './fleet-context';

/**
 * The carrier account that the fleet is read with; null where it is not known. The live answer names the fleet's own
 * carrier alone, because all viewers share it; another's is in the list of fleets, which depends on the viewer.
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
