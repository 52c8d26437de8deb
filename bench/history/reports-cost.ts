import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Pool } from 'pg';
import type { DuckDb } from '@/lib/archive/duck-db';
import { fromFiles, toPath, writeParquet } from '@/lib/archive/parquet-file';
import { FIXES } from '@/lib/archive/tables';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { FleetReports } from '@/lib/reports/server/fleet-reports';
import { clockOf } from '@/testing/clock';
import { atMost, toSection, type Section } from '../support/report';
import { HOUR_MS } from '@/lib/base/time';

const USDOT = '9000004';
const DAY_MS = 24 * HOUR_MS;

interface ReportsFixture {
  pool: Pool;
  folder: string;
  reader: HistoryReader;
}

/** A day of a fleet twice as large as another one, of which each unit is there again under another name. */
const doubleFleet = async (
  duck: DuckDb,
  { pool, folder }: ReportsFixture,
  usdot: string,
  dayMs: number,
): Promise<void> => {
  const { rows } = await pool.query<{ path: string }>(
    `SELECT path FROM linehaul.archive_files
     WHERE usdot = $1 AND table_name = 'fixes' AND state = 'listed' AND from_ms >= $2 AND to_ms <= $3`,
    [usdot, dayMs, dayMs + DAY_MS],
  );
  const paths = rows.map(({ path }) => path);
  const path = toPath(FIXES, USDOT, dayMs, dayMs + DAY_MS);
  const from = fromFiles(folder, paths);
  const query = `SELECT * FROM (SELECT * FROM ${from} UNION ALL SELECT * REPLACE (unit || 'B' AS unit) FROM ${from})`;
  const file = await writeParquet(duck, FIXES, { folder, path, query, level: 3 });
  await pool.query(
    `INSERT INTO linehaul.archive_files (path, table_name, usdot, state, from_ms, to_ms, least_ms, greatest_ms, rows, bytes)
     VALUES ($1, 'fixes', $2, 'listed', $3, $4, $5, $6, $7, $8)`,
    [path, USDOT, dayMs, dayMs + DAY_MS, file.leastMs, file.greatestMs, file.rows, file.bytes],
  );
  await pool.query(
    `INSERT INTO linehaul.coverage (usdot, from_ms, to_ms, state, problem) VALUES ($1, $2, $3, 'answered', NULL)`,
    [USDOT, dayMs - DAY_MS, dayMs + 2 * DAY_MS],
  );
};

/** What the report on a day of a fleet takes: of twice the units of `usdot`. */
export const measureReports = async (
  duck: DuckDb,
  fixture: ReportsFixture,
  usdot: string,
  dayMs: number,
): Promise<Section> => {
  await doubleFleet(duck, fixture, usdot, dayMs);
  const clock = clockOf(() => dayMs + 3 * DAY_MS);
  const log = { warn: (fields: object, message: string) => console.error(message, fields) };
  const reports = new FleetReports({ ...fixture, scratch: duck.scratch, clock, log });
  const range = { fromMs: dayMs, toMs: dayMs + DAY_MS, zone: 'UTC' };
  const read = async (): Promise<{ units: number; tookMs: number }> => {
    const from = performance.now();
    let units = 0;
    for await (const line of reports.read(USDOT, range, new AbortController().signal))
      units += line.units.length;
    return { units, tookMs: performance.now() - from };
  };
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const first = await read();
  delay.disable();
  const again = await read();
  reports.close();
  return toSection('Reports', [
    atMost(
      `miles by state and activity of ${first.units.toLocaleString('en-US')} units for a day, with the start of the threads`,
      first.tookMs / 1000,
      5,
      's',
      1,
    ),
    atMost('delay of the event loop meanwhile, p99', delay.percentile(99) / 1e6, 50, 'ms'),
    {
      what: 'the same day again, as it is kept',
      measured: `${again.tookMs.toFixed(0)} ms`,
      target: '',
      isMet: null,
    },
  ]);
};
