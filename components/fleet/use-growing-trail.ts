import { useMemo, useState } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import type { UnitRow } from '@/lib/view/unit-row';
import type { UnitDetail } from '@/lib/wire/unit';
import { useQuery } from '@tanstack/react-query';
import { PERSISTENT } from '@/lib/browser/fetch-json';

/** A unit's last hours, read once; nothing without a VIN. Apart, because the live map has it from the beginning. */
const useRecentTrail = (usdot: string, vin: string | null, skewMs: number) =>
  useQuery({
    queryKey: ['fleets', usdot, 'units', vin, 'recent trail'],
    queryFn: async ({ signal }) => {
      const { readRecentTrail } = await import('@/lib/past/queries');
      return readRecentTrail(usdot, vin ?? '', skewMs, signal);
    },
    enabled: vin !== null,
    staleTime: Infinity,
    // A unit that is selected again has gone on meanwhile.
    gcTime: 0,
    ...PERSISTENT,
  });

type Track = UnitDetail['track'];

/** A track with what another one has after its end. */
export const extendTrack = (track: Track, newer: Track): Track => {
  const lastMs = track.at(-1)?.fixAtMs ?? -Infinity;
  const added = newer.filter(({ fixAtMs }) => fixAtMs > lastMs);
  return added.length === 0 ? track : [...track, ...added];
};

const NO_TRACK: Track = [];

/** The selected unit's detail with the trail of its last hours, read once and then growing with each poll. */
export const useGrowingTrail = (
  selected: UnitRow | null,
  detail: UnitDetail | null,
  hasPast: boolean,
): UnitDetail | null => {
  const { past, skewMs } = useReading();
  const isRead = hasPast && past === null && selected?.identity.key === selected?.identity.vin;
  const vin = isRead ? (selected?.identity.vin ?? null) : null;
  const { data: recorded = NO_TRACK } = useRecentTrail(useUsdot(), vin, skewMs);
  // The detail has the newest fixes only, so those of earlier polls are kept.
  const [seen, setSeen] = useState<{ vin: string | null; detail: UnitDetail | null; track: Track }>({
    ...{ vin: null, detail: null, track: NO_TRACK },
  });
  if (seen.detail !== detail || seen.vin !== vin)
    setSeen({
      vin,
      detail,
      track: extendTrack(seen.vin === vin ? seen.track : NO_TRACK, detail?.track ?? NO_TRACK),
    });
  return useMemo(
    () =>
      detail === null || vin === null ? detail : { ...detail, track: extendTrack(recorded, seen.track) },
    [detail, vin, recorded, seen.track],
  );
};
