import 'server-only';
import { setImmediate } from 'node:timers/promises';
import type { RecordedTable } from '@/lib/archive/archive-reader';
import { quote } from '@/lib/archive/duck-db';
import type { UnitRows } from '@/lib/fleet/recorded-units';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { toSlices } from '@/lib/reports/server/report-threads';
import { isWithin, toPossibleFixes } from '@/lib/reports/server/who-was-here';
import { LEAD_MS } from '@/lib/past/schema';
import { RecordedVisits, boundsOfVisits, type OpenVisit } from '@/lib/rules/recorded-visits';
import type { Site, SiteVisit } from '@/lib/rules/site';
import { DAY_MS, type TimeRange } from '@/lib/base/time';

/** Fixes of which visits are found in one block of the event loop: some milliseconds of work. */
const FIXES_A_BLOCK = 2000;
const WIDTH = 3;

export interface VisitSearch extends TimeRange {
  usdot: string;
  sites: readonly Site[];
  /** Keys of units; absent: all that came near one of the sites. */
  units?: readonly string[];
  /** Ends it, and then it rejects. */
  signal?: AbortSignal;
  /** Called with how much of the time was searched, 0 to 1. */
  onProgress?: (share: number) => Promise<void>;
}

export interface FoundVisits {
  /** Visits that ended. */
  visits: SiteVisit[];
  /** Visits that go on at the end of the recording. */
  open: OpenVisit[];
}

/** The units at sites, or about to be, from one day to the next. */
type Present = Map<string, RecordedVisits>;

/** A day of a search, as a table of the fixes that are dated by the units themselves, with the last ones before it. */
interface SearchedDay {
  table: RecordedTable;
  from: string;
  fromMs: number;
  near: string;
}

const toList = (units: Iterable<string>): string => `(${[...units].map(quote).join(', ')})`;

/** The units with a fix near a site, and those that were present before, with how many fixes each has. */
const readUnits = ({ table, from, near }: SearchedDay, present: Present) => {
  const known = present.size === 0 ? '' : ` OR unit IN ${toList(present.keys())}`;
  return table.duck.readRows<[unit: string, fixes: number]>(
    `SELECT unit, count(*)::DOUBLE FROM ${from}
     WHERE unit IN (SELECT DISTINCT unit FROM ${from} WHERE ${near}${known}) GROUP BY unit ORDER BY unit`,
  );
};

/** Fixes of some units near a site, with the one before and the one after each time there; sorted by unit and time. */
const readFixes = ({ table, from, near }: SearchedDay, units: readonly string[]): Promise<UnitRows> =>
  table.duck.readUnits(
    `SELECT unit, fix_s::INTEGER, lat_e5, lng_e5 FROM (
       SELECT *, lag(is_near) OVER w AS was_near, lead(is_near) OVER w AS is_near_next FROM (
         SELECT unit, fix_s, lat_e5, lng_e5, ${near} AS is_near
         FROM (${toPossibleFixes(`(SELECT * FROM ${from} WHERE unit IN ${toList(units)})`)})
       ) WINDOW w AS (PARTITION BY unit ORDER BY fix_s)
     ) WHERE is_near OR coalesce(was_near, true) OR is_near_next ORDER BY unit, fix_s`,
  );

/** Adds the fixes of a unit, which rows have from one index until before another one. */
const addFixes = (
  found: RecordedVisits,
  { values }: UnitRows,
  [first, end]: readonly [number, number],
  fromMs: number,
): void => {
  const msOf = (i: number): number => values[i * WIDTH]! * 1000;
  let i = first;
  // Of those before the day, a unit that is not present needs the newest alone.
  if (found.newestMs === 0) while (i + 1 < end && msOf(i + 1) < fromMs) i++;
  for (; i < end; i++)
    if (msOf(i) > found.newestMs) found.add(msOf(i), values[i * WIDTH + 1]!, values[i * WIDTH + 2]!);
};

const searchDay = async (
  day: SearchedDay,
  { sites, signal }: VisitSearch,
  present: Present,
  visits: SiteVisit[],
): Promise<void> => {
  for (const slice of toSlices(await readUnits(day, present))) {
    signal?.throwIfAborted();
    const rows = await readFixes(
      day,
      slice.map(([unit]) => unit),
    );
    let block = 0;
    for (let first = 0, end: number; first < rows.units.length; first = end) {
      const unit = rows.units[first]!;
      for (end = first + 1; rows.units[end] === unit;) end++;
      const found = present.get(unit) ?? new RecordedVisits(unit, sites);
      addFixes(found, rows, [first, end], day.fromMs);
      visits.push(...found.visits.splice(0));
      if (found.isPresent) present.set(unit, found);
      else present.delete(unit);
      block += end - first;
      if (block >= FIXES_A_BLOCK) await setImmediate();
      block %= FIXES_A_BLOCK;
    }
  }
};

/** The visits of a fleet's units to sites, as the recording shows them: day by day, so that little of it is in memory. */
export const findVisits = async (
  reader: Pick<HistoryReader, 'readFixes'>,
  search: VisitSearch,
): Promise<FoundVisits> => {
  const { usdot, sites, fromMs, toMs, units, signal, onProgress } = search;
  const [present, visits]: [Present, SiteVisit[]] = [new Map(), []];
  const near = `(${sites.map((site) => isWithin(boundsOfVisits(site), 'lat_e5', 'lng_e5')).join(' OR ')})`;
  const condition = units && `unit IN ${toList(units)}`;
  for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
    signal?.throwIfAborted();
    const endMs = Math.min(toMs, dayMs + DAY_MS);
    const range = { fromMs: dayMs - LEAD_MS, toMs: endMs, ...(condition && { condition }) };
    await reader.readFixes(usdot, range, async (table) => {
      const from = `(SELECT * FROM ${table.from} WHERE NOT is_by_receipt)`;
      await searchDay({ table, from, fromMs: dayMs, near }, search, present, visits);
      return true;
    });
    await onProgress?.((endMs - fromMs) / (toMs - fromMs));
  }
  const open = [...present.values()].flatMap((found) => found.listOpen(toMs));
  for (const found of present.values()) visits.push(...found.visits);
  return { visits, open };
};
