'use client';

import { StatusLine } from '@/components/panel/status-line';
import { useNowMs } from '@/components/screen/use-now';
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
  if (said === 'unknown') return <p>The provider does not know this VIN.</p>;
  if (said === 'neverReported') return <p>The provider knows this vehicle, but it has never reported.</p>;
  const isHeard = unit.fixAtMs !== null;
  if (isLive && !(unit.reason === 'neverSeen' && isHeard)) {
    return <StatusLine unit={unit} detail={detail} skewMs={skewMs} />;
  }
  if (!isHeard) return null;
  return <p>Not in the list of active units. Its last fix: {fixAgeWords(nowMs - unit.fixAtMs!)}.</p>;
};
