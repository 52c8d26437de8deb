import { useMemo } from 'react';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { MINUTE_MS } from '@/lib/base/time';
import type { Load } from '@/lib/loads/load';
import { useLoads } from '@/lib/loads/queries';
import { useFleetSites } from '@/lib/sites/queries';
import type { ClockReading } from './end-time';
import type { ShareReading } from './share-values';

/** What typed times are read with, by the minute. */
export const useClockReading = (): ClockReading => {
  const nowMs = Math.floor(useServerNowMs() / MINUTE_MS) * MINUTE_MS;
  return useMemo(() => ({ nowMs, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }), [nowMs]);
};

const NO_SITES: never[] = [];
const NO_LOADS: never[] = [];

/** What the form and the texts of links are read with; the stops of `own` are known before the loads are. */
export const useShareReading = (own: Load | null = null): ShareReading & { isRead: boolean } => {
  const usdot = useUsdot();
  const { data: sites = NO_SITES, isPending: isWaiting } = useFleetSites(usdot, true);
  const { data: loads, isPending } = useLoads(usdot);
  const listed = loads?.loads ?? NO_LOADS;
  const isRead = !isWaiting && !isPending;
  const clock = useClockReading();
  return useMemo(
    () => ({ ...clock, isRead, sites, loads: own === null ? listed : [own, ...listed] }),
    [clock, isRead, sites, listed, own],
  );
};
