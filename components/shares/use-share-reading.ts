import { useMemo } from 'react';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { MINUTE_MS } from '@/lib/base/time';
import type { Load } from '@/lib/loads/load';
import { useLoads } from '@/lib/loads/queries';
import { useFleetSites } from '@/lib/sites/queries';
import type { ShareReading } from './share-values';

const NO_SITES: never[] = [];
const NO_LOADS: never[] = [];

/** What the form and the texts of links are read with; the stops of `own` are known before the loads are. */
export const useShareReading = (own: Load | null = null): ShareReading & { isRead: boolean } => {
  const usdot = useUsdot();
  const { data: sites = NO_SITES, isPending: isWaiting } = useFleetSites(usdot, true);
  const { data: loads, isPending } = useLoads(usdot);
  const listed = loads?.loads ?? NO_LOADS;
  const isRead = !isWaiting && !isPending;
  const nowMs = Math.floor(useServerNowMs() / MINUTE_MS) * MINUTE_MS;
  return useMemo(
    () => ({
      ...{ isRead, sites, nowMs, loads: own === null ? listed : [own, ...listed] },
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
    [isRead, sites, listed, own, nowMs],
  );
};
