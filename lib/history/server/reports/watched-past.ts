import 'server-only';
import type { RulePreview } from '@/lib/alerts/answers';
import type { WatchConfig } from '@/lib/alerts/fleet-watch';
import { MOTION_COLUMNS, RECORDED_COLUMNS, UNNAMED } from '@/lib/wire/fleet';
import { quote } from '../archive/duck-db';
import type { DuckDb } from '../archive/duck-db';
import type { HistoryReader } from '../history-reader';
import { HOUR_MS } from '../partitions';
import { STATE_COLUMN_NAMES } from '../recorded-fleet';
import type { FleetReports } from './fleet-reports';
import { mapSome, toSlices } from './slices';
import { MOST_NEWEST } from './watch-replay';
import type { WatchJob, WatchedPast } from './watch-replay';

/** More recorded rows take too long to replay: of a larger fleet fewer hours are looked through. */
const MOST_ROWS = 4_000_000;
/** What held before the range opens its alerts in this time before it, and is not counted. */
const LEAD_HOURS = 2;

interface Past {
  /** Of one rule. */
  config: WatchConfig;
  fromMs: number;
  toMs: number;
}

interface History {
  reader: HistoryReader;
  reports: FleetReports;
}

const STATE_VALUES = RECORDED_COLUMNS.map((column) => STATE_COLUMN_NAMES[column]);

/** States, and fixes that the map showed, in the columns of states: without a status of their own. */
const toTable = (states: string, fixes: string | null, toMs: number): string => {
  const shown = `SELECT unit, seen_s, false AS is_state, lat_e5, lng_e5, fix_s, speed_kph, heading_deg,
    ${STATE_VALUES.slice(MOTION_COLUMNS.length)
      .map((name) => `0 AS ${name}`)
      .join(', ')}
    FROM ${fixes} WHERE speed_kph IS NOT NULL AND seen_s < ${Math.floor(toMs / 1000)}`;
  return `(SELECT unit, seen_ms // 1000 AS seen_s, true AS is_state, ${STATE_VALUES.join(', ')} FROM ${states}
    ${fixes === null ? '' : `UNION ALL ${shown}`})`;
};

/** The rows of units by the time at which they were seen, as WatchJob has them. */
const readRows = (duck: DuckDb, from: string, [first, last]: [string, string]) =>
  duck.readNumbers(
    `SELECT (dense_rank() OVER (ORDER BY unit) - 1)::DOUBLE, seen_s::DOUBLE, is_state::INTEGER::DOUBLE,
       ${STATE_VALUES.map((name) => `coalesce(${name}, -1)::DOUBLE`).join(', ')}
     FROM ${from} WHERE unit BETWEEN ${quote(first)} AND ${quote(last)} ORDER BY seen_s, is_state, fix_s`,
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

/** What a rule would have sent in the range, replayed by the code that watches the live fleet, in slices of units. */
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
  const replay = async (duck: DuckDb, from: string): Promise<WatchedPast[]> => {
    const counts = await duck.readRows<[unit: string, rows: number]>(
      `SELECT unit, count(*)::DOUBLE FROM ${from} GROUP BY unit ORDER BY unit`,
    );
    return mapSome(toSlices(counts), async (slice): Promise<WatchedPast> => {
      if (signal.aborted) return { count: 0, newest: [] };
      const identities = slice.map(([key]) => names.get(key) ?? { ...UNNAMED, key });
      const columns = await readRows(duck, from, [slice[0]![0], slice.at(-1)![0]]);
      return reports.threads.run({ ...job, identities, columns } satisfies WatchJob);
    });
  };
  const parts = isOfFeed
    ? [await reports.threads.run({ ...job, identities: [], columns: [] })]
    : await reader.readStates(usdot, range, async ({ duck, from: states }) => {
        const shown = await reader.readFixes(usdot, range, ({ from }) =>
          replay(duck, toTable(states, from, toMs)),
        );
        return shown ?? replay(duck, toTable(states, null, toMs));
      });
  const newest = (parts ?? []).flatMap((part) => part.newest).sort((a, b) => b.openedMs - a.openedMs);
  const count = (parts ?? []).reduce((sum, part) => sum + part.count, 0);
  return { count, first: newest.slice(0, MOST_NEWEST), fromMs, toMs };
};
