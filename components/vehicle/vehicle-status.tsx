'use client';

import { StatusLine } from '@/components/panel/status-line';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useNowMs } from '@/components/ui/use-now';
import { momentWords } from '@/lib/view/clock';
import { fixAgeWords } from '@/lib/view/numbers';
import type { UnitRow } from '@/lib/view/unit-row';
import type { UnitAnswer, UnitDetail } from '@/lib/wire/unit';

interface VehicleStatusProps {
  unit: UnitRow;
  detail: UnitDetail | null;
  isLive: boolean;
  /** What the provider said of the VIN; null before it has. */
  said: UnitAnswer['said'] | null;
  skewMs: number;
}

/** What a vehicle does; of one that the live list does not hold, why, and how old its last word is. */
export const VehicleStatus = ({ unit, detail, isLive, said, skewMs }: VehicleStatusProps) => {
  const nowMs = useNowMs() + skewMs;
  const old = useOldCopy();
  if (said === 'unknown') return <p>The provider does not know this VIN.</p>;
  if (said === 'neverReported') return <p>The provider knows this vehicle, but it has never reported.</p>;
  const isHeard = unit.fixAtMs !== null;
  if (isLive && !(unit.reason === 'neverSeen' && isHeard)) {
    return <StatusLine unit={unit} detail={detail} skewMs={skewMs} />;
  }
  if (!isHeard) return null;
  const lastFix =
    old === null ? fixAgeWords(nowMs - unit.fixAtMs!) : momentWords(unit.fixAtMs! - skewMs, nowMs - skewMs);
  return <p>Not in the list of active units. Its last fix: {lastFix}.</p>;
};
