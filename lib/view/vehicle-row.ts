import { UNNAMED } from '@/lib/wire/fleet';
import type { UnitAnswer } from '@/lib/wire/unit';
import type { UnitRow } from './unit-row';

/** One vehicle for its own page, and which of the provider's two answers its position and time come from. */
export interface VehicleRow extends UnitRow {
  from: 'fleetList' | 'vehicle';
}

/**
 * The single-unit endpoint's answer for a vehicle (`said`), with the status that the live feed derived. The
 * newer fix of the two wins, as in the feed. Without an answer the live feed is used alone; without either
 * only the VIN is known.
 */
export const toVehicleRow = (vin: string, said: UnitAnswer['unit'], live: UnitRow | null): VehicleRow => {
  const base: UnitRow = live ?? {
    row: -1,
    identity: { ...UNNAMED, key: vin, vin },
    status: 'unknown',
    reason: said?.position ? 'oneFix' : 'noFix',
    position: null,
    fixAtMs: null,
    sinceMs: null,
    speedKph: null,
    headingDeg: null,
    flags: [],
    datedAfterMs: 0,
    coarseM: 0,
  };
  if (said === null) return { ...base, from: 'fleetList' };
  const flags = [...new Set([...base.flags, ...said.flags.map(({ flag }) => flag)])];
  const isOlder = base.fixAtMs !== null && (said.fixAtMs === null || said.fixAtMs < base.fixAtMs);
  // A jump that the feed holds back is held back here too, and a time that it does not trust is not shown.
  const isHeldBack = base.flags.includes('impossibleJump') || base.reason === 'byReceipt';
  if (isOlder || isHeldBack) return { ...base, identity: said.identity, flags, from: 'fleetList' };
  const { identity, position, fixAtMs } = said;
  return { ...base, identity, position, fixAtMs, flags, from: 'vehicle' };
};
