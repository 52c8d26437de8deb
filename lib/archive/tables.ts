import 'server-only';
import { sql } from 'drizzle-orm';
import { bigint, check, index, text } from 'drizzle-orm/pg-core';
import { linehaul } from '@/lib/database/tables';

/** A file has the rows of each quarter of a day together: a fleet at a moment is found in one of them. */
const BLOCK_S = 6 * 3600;

/** A partitioned table that is archived. SQL is DuckDB's. */
export interface ArchivedTable {
  name: 'fixes' | 'states';
  /** Columns of the table with their types in DuckDB; the fleet is in the path of the file. */
  source: Readonly<Record<string, string>>;
  columns: string;
  order: string;
  /** A row's own time, Unix ms, from the columns of the file. */
  timeMs: string;
  /** Columns of the file that no two rows share; null: a repeat does no harm. */
  key: string | null;
}

/**
 * Times are in seconds, because their differences take a fraction of the space of milliseconds. Nearly all devices report
 * whole seconds, and polls are further apart than one: so the milliseconds of a fix are kept, and those of a poll are not.
 */
export const FIXES: ArchivedTable = {
  name: 'fixes',
  source: {
    unit: 'VARCHAR',
    fix_ms: 'BIGINT',
    seen_ms: 'BIGINT',
    lat_e5: 'INTEGER',
    lng_e5: 'INTEGER',
    speed_kph: 'SMALLINT',
    heading_deg: 'SMALLINT',
    is_by_receipt: 'BOOLEAN',
  },
  columns: `unit, fix_ms // 1000 AS fix_s, (fix_ms % 1000)::SMALLINT AS fix_rest_ms, seen_ms // 1000 AS seen_s, lat_e5, lng_e5, speed_kph,
    heading_deg, is_by_receipt`,
  order: `seen_s // ${BLOCK_S}, unit, fix_s, fix_rest_ms`,
  timeMs: 'fix_s * 1000 + fix_rest_ms',
  key: 'unit, fix_s, fix_rest_ms',
};

const STATE_SOURCE = {
  unit: 'VARCHAR',
  seen_ms: 'BIGINT',
  lat_e5: 'INTEGER',
  lng_e5: 'INTEGER',
  fix_s: 'INTEGER',
  speed_kph: 'SMALLINT',
  heading_deg: 'SMALLINT',
  status: 'SMALLINT',
  reason: 'SMALLINT',
  since_s: 'INTEGER',
  flags: 'INTEGER',
  dated_after_s: 'INTEGER',
  coarse_m: 'INTEGER',
};

export const STATES: ArchivedTable = {
  name: 'states',
  source: STATE_SOURCE,
  columns: Object.keys(STATE_SOURCE).join(', '),
  order: `seen_ms // ${BLOCK_S * 1000}, unit, seen_ms`,
  timeMs: 'seen_ms',
  key: null,
};

export const ARCHIVED_TABLES: readonly ArchivedTable[] = [FIXES, STATES];

/** Parquet files of HISTORY_DIR, each of one fleet seen in [from_ms, to_ms) in Unix ms; noted before they are written. */
export const archiveFiles = linehaul.table(
  'archive_files',
  {
    path: text('path').primaryKey(),
    tableName: text('table_name').notNull(),
    usdot: text('usdot').notNull(),
    /** `listed`: its rows are those of its hours, and no partition has them. */
    state: text('state', { enum: ['writing', 'listed', 'removed'] }).notNull(),
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    toMs: bigint('to_ms', { mode: 'number' }).notNull(),
    leastMs: bigint('least_ms', { mode: 'number' }),
    greatestMs: bigint('greatest_ms', { mode: 'number' }),
    rows: bigint('rows', { mode: 'number' }),
    bytes: bigint('bytes', { mode: 'number' }),
  },
  (table) => [
    index('archive_files_fleet').on(table.usdot, table.tableName, table.greatestMs),
    check('archive_files_state_known', sql`${table.state} in ('writing', 'listed', 'removed')`),
  ],
);
