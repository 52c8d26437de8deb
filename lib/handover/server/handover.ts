import 'server-only';
import type { Pool } from 'pg';
import type { Viewer } from '@/lib/base/viewer';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { PastFleets } from '@/lib/past/server/past-fleets';
import type { DataQuality } from '@/lib/data-quality/server/data-quality';
import type { FleetReports } from '@/lib/reports/server/fleet-reports';
import { readLoads } from '@/lib/loads/server/loads';
import { toLoadChanges } from './load-changes';
import { AppError, isAppError } from '@/lib/base/http/problems';
import { nameAmong, unitName } from '@/lib/view/unit-name';
import { NO_POSITION, type FleetRows, type UnitIdentity } from '@/lib/wire/fleet';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { REASONS, STATUSES, toFlags } from '@/lib/motion/status';
import { LONG_DRIVING_HOURS, MAX_HANDOVER_HOURS, type Handover } from '../schema';
import { readChanges } from './handover-repository';
import { HOUR_MS } from '@/lib/base/time';

export interface HandoverHistory {
  reader: HistoryReader;
  past: PastFleets;
  reports: FleetReports;
  quality: DataQuality;
}

const SILENT = STATUSES.indexOf('silent');

/** Two moments of a fleet, with the same unit in each row. */
interface Moments {
  then: FleetRows;
  now: FleetRows;
}

/** Rows that have a unit at both moments. */
const listRows = ({ then, now }: Moments): number[] => {
  const rows: number[] = [];
  for (let row = 0; row < Math.min(then.rows, now.rows); row++)
    if (then.identities[row] && now.identities[row]) rows.push(row);
  return rows;
};

const toUnit = ({ identities }: FleetRows, row: number): { key: string; name: string } => {
  const identity = identities[row]!;
  return { key: identity.key, name: unitName(identity) };
};

const toFixAtMs = ({ columns }: FleetRows, row: number): number | null =>
  columns.fixAtS[row] === 0 ? null : columns.fixAtS[row]! * 1000;

const toPosition = ({ columns }: FleetRows, row: number): { lat: number | null; lng: number | null } =>
  columns.latE5[row] === NO_POSITION
    ? { lat: null, lng: null }
    : { lat: columns.latE5[row]! * DEGREES_PER_E5, lng: columns.lngE5[row]! * DEGREES_PER_E5 };

/** The units whose status or flags differ between two moments. */
export const compareFleets = (moments: Moments): Pick<Handover, 'silent' | 'reporting' | 'flagged'> => {
  const { then, now } = moments;
  const rows = listRows(moments);
  const isSilent = (fleet: FleetRows, row: number): boolean => fleet.columns.status[row] === SILENT;
  const newFlags = (row: number): number => now.columns.flags[row]! & ~then.columns.flags[row]!;
  return {
    silent: rows
      .filter((row) => isSilent(now, row) && !isSilent(then, row))
      .map((row) => ({
        ...toUnit(now, row),
        ...toPosition(now, row),
        reason: REASONS[now.columns.reason[row]!]!,
        fixAtMs: toFixAtMs(now, row),
      })),
    reporting: rows
      .filter((row) => isSilent(then, row) && !isSilent(now, row))
      .map((row) => ({ ...toUnit(now, row), fixAtMs: toFixAtMs(now, row) })),
    flagged: rows
      .filter((row) => newFlags(row) !== 0)
      .map((row) => ({ ...toUnit(now, row), flags: toFlags(newFlags(row)) })),
  };
};

const NAME_FIELDS = ['vin', 'truckNumber', 'plateState', 'plateNumber', 'make', 'model', 'deviceId'] as const;

/** The names of a unit that changed; one that was not known before has not, and fuel and body are no names. */
export const toNameChanges = (
  before: UnitIdentity,
  after: UnitIdentity,
): Handover['renamed'][number]['changes'] =>
  NAME_FIELDS.filter((field) => before[field] !== null && before[field] !== after[field]).map((field) => ({
    field,
    before: before[field],
    after: after[field],
  }));

/** Units that drove for long, the longest first; null where finding them would take too long. */
const readDrivers = async (
  { reports }: Pick<HandoverHistory, 'reports'>,
  usdot: string,
  range: { fromMs: number; toMs: number },
  nameOf: (key: string) => string,
): Promise<Handover['drivers']> => {
  if (range.toMs - range.fromMs <= LONG_DRIVING_HOURS * HOUR_MS) return [];
  try {
    const units = await reports.readRange(usdot, range, new AbortController().signal);
    return units
      .filter(({ movingMs }) => movingMs > LONG_DRIVING_HOURS * HOUR_MS)
      .sort((a, b) => b.movingMs - a.movingMs)
      .map(({ key, movingMs, drivenM }) => ({ key, name: nameOf(key), movingMs, drivenM }));
  } catch (error) {
    if (isAppError(error, 'range-too-long')) return null;
    throw error;
  }
};

/** The moment that a handover begins with, within what is allowed. @throws AppError 'bad-input' */
export const toHandoverStart = (sinceMs: number, nowMs: number): number => {
  if (sinceMs >= nowMs) throw new AppError('bad-input', { detail: 'This moment has not come yet.' });
  return Math.max(sinceMs, nowMs - MAX_HANDOVER_HOURS * HOUR_MS);
};

/** The changes in a fleet from `fromMs` to `toMs`, Unix ms, for a viewer of it. @throws database errors */
export const readHandover = async (
  { history, pool }: { history: HandoverHistory; pool: Pool },
  viewer: Pick<Viewer, 'id'>,
  usdot: string,
  range: { fromMs: number; toMs: number },
): Promise<Omit<Handover, 'visitedMs'>> => {
  const [then, now, changes, names, loads] = await Promise.all([
    history.reader.readFleetAt(usdot, range.fromMs),
    history.reader.readFleetAt(usdot, range.toMs),
    readChanges(pool, { usdot, readerId: viewer.id, ...range }),
    history.reader.readNames(usdot, null),
    readLoads(pool, usdot, { endedAfterMs: range.fromMs, nowMs: range.toMs }),
  ]);
  const nameOf = (key: string): string => nameAmong(names, key);
  const compared = then && now ? compareFleets({ then, now }) : { silent: [], reporting: [], flagged: [] };
  return {
    ...range,
    isCompared: then !== null && now !== null,
    ...compared,
    renamed: changes.identities
      .map(({ unit, atMs, before, after }) => ({
        key: unit,
        name: unitName(after),
        atMs,
        changes: toNameChanges(before, after),
      }))
      .filter((renamed) => renamed.changes.length > 0),
    visits: changes.visits.map((visit) => ({ ...visit, name: nameOf(visit.unit) })),
    drivers: await readDrivers(history, usdot, range, nameOf),
    alerts: changes.alerts,
    loads: toLoadChanges(loads, range, nameOf),
    notes: changes.notes.map(({ unit, ...note }) => ({ ...note, key: unit, name: nameOf(unit) })),
  };
};
