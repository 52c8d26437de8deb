import {
  NOT_DERIVED,
  NO_POSITION,
  UNNAMED,
  UNREAD_FEED,
  type Fleet,
  type UnitIdentity,
} from '@/lib/wire/fleet';
import { DEGREES_PER_E5, type LatLng } from '@/lib/geo/units';
import {
  REASONS,
  STATUSES,
  toFlags,
  toFlagMask,
  type Flag,
  type Reason,
  type Status,
} from '@/lib/motion/status';
import { isFormerKey } from '@/lib/wire/unit-names';
import { createColumns } from '@/lib/wire/live';
import type { UnitAnswer } from '@/lib/wire/unit';

/** One row of a fleet, read from its columns; null wherever the value is not known. */
export interface UnitRow {
  row: number;
  identity: UnitIdentity;
  status: Status;
  reason: Reason;
  position: LatLng | null;
  fixAtMs: number | null;
  sinceMs: number | null;
  speedKph: number | null;
  headingDeg: number | null;
  flags: Flag[];
  /** Once the newest fix is this old, the status is given with that fix's time. */
  datedAfterMs: number;
  /** Position error, m; 0 where it is about a receiver's. */
  coarseM: number;
  /** The site that it is at; null: none. */
  siteId: number | null;
}

const statusOf = (fleet: Fleet, row: number): Status =>
  STATUSES[fleet.columns.status[row] ?? -1] ?? 'unknown';

export const reasonOf = (fleet: Fleet, row: number): Reason =>
  REASONS[fleet.columns.reason[row] ?? -1] ?? 'noFix';

const positionOf = ({ columns }: Fleet, row: number): LatLng | null => {
  const latE5 = columns.latE5[row] ?? NO_POSITION;
  const lngE5 = columns.lngE5[row] ?? NO_POSITION;
  if (latE5 === NO_POSITION || lngE5 === NO_POSITION) return null;
  return { lat: latE5 * DEGREES_PER_E5, lng: lngE5 * DEGREES_PER_E5 };
};

/** The unit of a row; null where the row is empty. */
export const readUnitRow = (fleet: Fleet, row: number): UnitRow | null => {
  const identity = fleet.identities[row];
  if (!identity) return null;
  const { fixAtS, sinceS, speedKph, headingDeg, flags, datedAfterS, coarseM, siteId } = fleet.columns;
  const derived = (value: number | undefined) =>
    value === undefined || value === NOT_DERIVED ? null : value;
  const timeMs = (seconds: number | undefined) => (seconds ? seconds * 1000 : null);
  return {
    row,
    identity,
    status: statusOf(fleet, row),
    reason: reasonOf(fleet, row),
    position: positionOf(fleet, row),
    fixAtMs: timeMs(fixAtS[row]),
    sinceMs: timeMs(sinceS[row]),
    speedKph: derived(speedKph[row]),
    headingDeg: derived(headingDeg[row]),
    flags: toFlags(flags[row] ?? 0),
    datedAfterMs: (datedAfterS[row] ?? 0) * 1000,
    coarseM: coarseM[row] ?? 0,
    siteId: siteId[row] || null,
  };
};

const lastFound = new WeakMap<Fleet['identities'], number>();

/** The only row of a unit that has `key` as its VIN or as one of its names; -1 where none or several have. */
const findFormer = (identities: Fleet['identities'], key: string): number => {
  let found = -1;
  for (let row = 0; row < identities.length; row++) {
    const identity = identities[row];
    if (!identity || !isFormerKey(identity, key)) continue;
    if (found >= 0) return -1;
    found = row;
  }
  return found;
};

/** The row of the unit with this key, else of the one that was known by it, or -1; the last result is tried first. */
export const findRow = ({ identities }: Fleet, key: string): number => {
  const last = lastFound.get(identities) ?? -1;
  if (identities[last]?.key === key) return last;
  const exact = identities.findIndex((identity) => identity?.key === key);
  const row = exact >= 0 ? exact : findFormer(identities, key);
  lastFound.set(identities, row);
  return row;
};

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
