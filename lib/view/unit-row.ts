import { NOT_DERIVED, NO_POSITION, type Fleet, type UnitIdentity } from '@/lib/wire/fleet';
import { DEGREES_PER_E5, type LatLng } from '@/lib/geo/units';
import { REASONS, STATUSES, toFlags, type Flag, type Reason, type Status } from '@/lib/motion/status';
import { isFormerKey } from '@/lib/wire/unit-names';

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
