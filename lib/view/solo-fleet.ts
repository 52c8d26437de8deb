import { DEGREES_PER_E5, NOT_DERIVED, NO_POSITION } from '@/lib/wire/fleet';
import type { Fleet } from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';
import { REASONS, STATUSES, toFlagMask } from '@/lib/wire/status';
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
  return {
    usdot: '',
    version: '',
    rows: 1,
    identities: [unit.identity],
    columns,
    feed: {
      fetchedAtMs: null,
      staleSinceMs: null,
      problem: null,
      activeUnits: 1,
      rosterVins: null,
      droppedRecords: 0,
      repairedFields: 0,
      nextAttemptAtMs: null,
    },
    account: null,
  };
};
