import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { REASONS, STATUSES, toFlagMask } from '@/lib/motion/status';
import { NOT_DERIVED, NO_POSITION, UNNAMED, UNREAD_FEED, type Fleet } from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';
import type { UnitAnswer } from '@/lib/wire/unit';
import type { UnitRow } from './unit-row';

/** A fleet of one unit, in row 0: for a map that shows one vehicle alone. The inverse of readUnitRow. */
export const toSoloFleet = (unit: UnitRow): Fleet => {
  const columns = createColumns(1);
  columns.latE5[0] = unit.position ? Math.round(unit.position.lat / DEGREES_PER_E5) : NO_POSITION;
  columns.lngE5[0] = unit.position ? Math.round(unit.position.lng / DEGREES_PER_E5) : NO_POSITION;
  columns.fixAtS[0] = Math.floor((unit.fixAtMs ?? 0) / 1000);
  columns.sinceS[0] = Math.floor((unit.sinceMs ?? 0) / 1000);
  columns.speedKph[0] = unit.speedKph ?? NOT_DERIVED;
  columns.headingDeg[0] = unit.headingDeg ?? NOT_DERIVED;
  columns.status[0] = STATUSES.indexOf(unit.status);
  columns.reason[0] = REASONS.indexOf(unit.reason);
  columns.flags[0] = toFlagMask(unit.flags);
  columns.datedAfterS[0] = Math.floor(unit.datedAfterMs / 1000);
  columns.coarseM[0] = unit.coarseM;
  columns.siteId[0] = unit.siteId ?? 0;
  return {
    usdot: '',
    version: '',
    rows: 1,
    identities: [unit.identity],
    columns,
    feed: { ...UNREAD_FEED, activeUnits: 1 },
    account: null,
  };
};

/** One vehicle for its own page, and which of the provider's two answers its position and time come from. */
interface VehicleRow extends UnitRow {
  from: 'fleetList' | 'vehicle';
}

/**
 * The provider's answer for one vehicle with the live status; the newer fix wins, as in the feed. Without either only
 * the VIN is known.
 */
export const toVehicleRow = (vin: string, answer: UnitAnswer['unit'], live: UnitRow | null): VehicleRow => {
  const base: UnitRow = live ?? {
    row: -1,
    identity: { ...UNNAMED, key: vin, vin },
    status: 'unknown',
    reason: answer?.position ? 'oneFix' : 'noFix',
    position: null,
    fixAtMs: null,
    sinceMs: null,
    speedKph: null,
    headingDeg: null,
    flags: [],
    datedAfterMs: 0,
    coarseM: 0,
    siteId: null,
  };
  if (answer === null) return { ...base, from: 'fleetList' };
  const flags = [...new Set([...base.flags, ...answer.flags.map(({ flag }) => flag)])];
  const isOlder = base.fixAtMs !== null && (answer.fixAtMs === null || answer.fixAtMs < base.fixAtMs);
  // A jump that the feed holds back is held back here too, and a time that it does not trust is not shown.
  const isHeldBack = base.flags.includes('impossibleJump') || base.reason === 'byReceipt';
  if (isOlder || isHeldBack) return { ...base, identity: answer.identity, flags, from: 'fleetList' };
  const { identity, position, fixAtMs } = answer;
  return { ...base, identity, position, fixAtMs, flags, from: 'vehicle' };
};
