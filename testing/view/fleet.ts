import {
  NOT_DERIVED,
  NO_POSITION,
  UNNAMED,
  UNREAD_FEED,
  type Fleet,
  type UnitIdentity,
} from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';
import { REASONS, STATUSES, toFlagMask, type Flag, type Reason, type Status } from '@/lib/motion/status';

/** A unit with a test's fields; every field is optional. */
export interface UnitFields extends Partial<UnitIdentity> {
  status?: Status;
  reason?: Reason;
  lat?: number;
  lng?: number;
  fixAtS?: number;
  sinceS?: number;
  speedKph?: number;
  headingDeg?: number;
  flags?: Flag[];
  /** Five minutes by default. */
  datedAfterS?: number;
  coarseM?: number;
  siteId?: number;
}

const NO_NAMES: UnitIdentity = { ...UNNAMED, key: '' };

const REASON_OF: Record<Status, Reason> = {
  moving: 'displaced',
  stopped: 'inPlace',
  late: 'overdue',
  silent: 'quiet',
  unknown: 'oneFix',
};

/** A fleet whose row n is the n-th unit given; null leaves a row without a unit. */
export const createTestFleet = (units: readonly (UnitFields | null)[]): Fleet => {
  const columns = createColumns(units.length);
  const identities = units.map((unit, row): UnitIdentity | null => {
    if (unit === null) return null;
    const {
      status = 'moving',
      reason = REASON_OF[status],
      lat,
      lng,
      fixAtS,
      sinceS,
      speedKph,
      headingDeg,
      flags,
      datedAfterS = 300,
      coarseM = 0,
      siteId = 0,
      ...own
    } = unit;
    columns.latE5[row] = lat === undefined ? NO_POSITION : Math.round(lat * 1e5);
    columns.lngE5[row] = lng === undefined ? NO_POSITION : Math.round(lng * 1e5);
    columns.fixAtS[row] = fixAtS ?? 0;
    columns.sinceS[row] = sinceS ?? 0;
    columns.speedKph[row] = speedKph ?? NOT_DERIVED;
    columns.headingDeg[row] = headingDeg ?? NOT_DERIVED;
    columns.status[row] = STATUSES.indexOf(status);
    columns.reason[row] = REASONS.indexOf(reason);
    columns.flags[row] = toFlagMask(flags ?? []);
    columns.datedAfterS[row] = datedAfterS;
    columns.coarseM[row] = coarseM;
    columns.siteId[row] = siteId;
    return { ...NO_NAMES, key: `unit:${row}`, ...own };
  });
  return {
    usdot: '9000001',
    version: 'e.1',
    rows: units.length,
    identities,
    columns,
    feed: { ...UNREAD_FEED, fetchedAtMs: 0, activeUnits: units.length },
    account: null,
  };
};
