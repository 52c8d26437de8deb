import 'server-only';
import type { RulePreview } from '@/lib/rules/alert-rule';
import type { WatchConfig } from '@/lib/rules/fleet-watch';
import { MOTION_COLUMNS, RECORDED_COLUMNS, UNNAMED, type RecordedColumn } from '@/lib/wire/fleet';
import { quote, type DuckDb } from '@/lib/archive/duck-db';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { STATE_COLUMN_NAMES } from '@/lib/recording/recorded-fleet';
import type { FleetReports } from './fleet-reports';
import { mapSome, toSlices } from './report-threads';
import { MOST_NEWEST, type WatchJob, type WatchedPast } from './watch-replay';
import { HOUR_MS, type TimeRange } from '@/lib/base/time';

/** More recorded rows take too long to replay: of a larger fleet fewer hours are looked through. */
const MOST_ROWS = 4_000_000;
/** A condition that held before the range opens its alerts in this time before it; these are not counted. */
const LEAD_HOURS = 2;

interface Past extends TimeRange {
  config: WatchConfig;
}

interface History {
  reader: HistoryReader;
  reports: FleetReports;
}

const toValues = (columns: readonly RecordedColumn[]): string[] =>
  columns.map((column) => STATE_COLUMN_NAMES[column]);

/** The tables of a recording, of which one may be empty. */
interface Tables {
  states: string;
  /** Null: there are none. */
  fixes: string | null;
}

/** The states of units, and the fixes that the map showed until a moment. */
const toTables = (states: string, fixes: string | null, toMs: number): Tables => ({
  states: `(SELECT unit, seen_ms // 1000 AS seen_s, ${toValues(RECORDED_COLUMNS).join(', ')} FROM ${states})`,
  fixes:
    fixes &&
    `(SELECT unit, seen_s, ${toValues(MOTION_COLUMNS).join(', ')}
      FROM ${fixes} WHERE speed_kph IS NOT NULL AND seen_s < ${Math.floor(toMs / 1000)})`,
});

/** The rows of each unit, and when its first one was seen, Unix s. */
const countRows = (duck: DuckDb, { states, fixes }: Tables) =>
  duck.readRows<[unit: string, rows: number, firstS: number]>(
    `SELECT unit, count(*)::DOUBLE, min(seen_s)::DOUBLE FROM (SELECT unit, seen_s FROM ${states}
     ${fixes === null ? '' : `UNION ALL SELECT unit, seen_s FROM ${fixes}`}) GROUP BY unit ORDER BY unit`,
  );

/** The rows of units by the time at which they were seen, as WatchJob has them. */
const readRows = (
  duck: DuckDb,
  from: string | null,
  units: readonly string[],
  columns: readonly RecordedColumn[],
): Promise<Float64Array<ArrayBuffer>[]> | [] =>
  from === null
    ? []
    : duck.readNumbers(
        `SELECT number::DOUBLE, seen_s::DOUBLE, ${toValues(columns)
          .map((name) => `coalesce(${name}, -1)::DOUBLE`)
          .join(', ')}
         FROM ${from} JOIN (SELECT unnest([${units.map(quote).join(', ')}]) AS unit, unnest(range(${units.length})) AS number)
           USING (unit)
         WHERE unit BETWEEN ${quote(units[0]!)} AND ${quote(units.at(-1)!)} ORDER BY seen_s, fix_s`,
      );

/** From when on the recording can be looked through. */
const toFromMs = async (reader: HistoryReader, usdot: string, { fromMs, toMs }: Past): Promise<number> => {
  const range = { fromMs, toMs };
  const [fixes, states] = await Promise.all([
    reader.countFixes(usdot, range),
    reader.countStates(usdot, range),
  ]);
  return Math.round(toMs - (toMs - fromMs) * Math.min(1, MOST_ROWS / (fixes + states)));
};

/** The alerts that a rule would have sent in the range, replayed by the code that watches the live fleet, in slices of units. */
export const watchPast = async (
  { reader, reports }: History,
  usdot: string,
  past: Past,
  signal: AbortSignal,
): Promise<RulePreview> => {
  const { config, toMs } = past;
  const latestMs = await toFromMs(reader, usdot, past);
  const range = { fromMs: Math.floor(latestMs / HOUR_MS - LEAD_HOURS) * HOUR_MS, toMs };
  const coverage = await reader.readCoverage(usdot, range.fromMs, toMs);
  const fromMs = Math.min(toMs, Math.max(latestMs, coverage[0]?.fromMs ?? toMs));
  const names = await reader.readNames(usdot, null);
  const job = { config, coverage, fromMs, toMs };
  const isOfFeed = config.rules.some(({ condition }) => condition.kind === 'feedFails');
  let firstMs = toMs;
  const replay = async (duck: DuckDb, tables: Tables): Promise<WatchedPast[]> => {
    const counted = await countRows(duck, tables);
    firstMs = counted.reduce((least, [, , firstS]) => Math.min(least, firstS * 1000), toMs);
    const slices = toSlices(counted.map(([unit, rows]) => [unit, rows]));
    return mapSome(slices, async (slice): Promise<WatchedPast> => {
      if (signal.aborted) return { count: 0, open: 0, newest: [] };
      const identities = slice.map(([key]) => names.get(key) ?? { ...UNNAMED, key });
      const units = slice.map(([key]) => key);
      const [fixes, states] = await Promise.all([
        readRows(duck, tables.fixes, units, MOTION_COLUMNS),
        readRows(duck, tables.states, units, RECORDED_COLUMNS),
      ]);
      return reports.threads.run({
        ...job,
        identities,
        fixes: fixes.length,
        columns: [...fixes, ...states],
      } satisfies WatchJob);
    });
  };
  const parts = isOfFeed
    ? [await reports.threads.run({ ...job, identities: [], fixes: 0, columns: [] })]
    : await reader.readStates(usdot, range, async ({ duck, from: states }) => {
        const shown = await reader.readFixes(usdot, range, ({ from }) =>
          replay(duck, toTables(states, from, toMs)),
        );
        return shown ?? replay(duck, toTables(states, null, toMs));
      });
  const newest = (parts ?? []).flatMap((part) => part.newest).sort((a, b) => b.openedMs - a.openedMs);
  const sum = (of: 'count' | 'open'): number => (parts ?? []).reduce((total, part) => total + part[of], 0);
  // Days may be covered of which there are no states of units, so that no rule about units can be tried on them.
  const shownMs = isOfFeed || firstMs - fromMs < HOUR_MS ? fromMs : firstMs;
  const recordedMs = coverage.reduce((total, { state, ...each }) => {
    const isWatched = state === 'answered' || state === 'failing';
    return total + (isWatched ? Math.max(0, each.toMs - Math.max(each.fromMs, shownMs)) : 0);
  }, 0);
  const first = newest.slice(0, MOST_NEWEST);
  return { count: sum('count'), open: sum('open'), first, fromMs: shownMs, toMs, recordedMs };
};
