import { APPLICATION_PART, TRACKING_PART } from '@/lib/database/database';

/** A backup cannot be written or restored; the message is the reason, for the user. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/**
 * A backup is an SQL script in UTF-8 that creates and fills the tables in one transaction; psql can run it too. Rows are
 * in COPY format: one line each, up to a line of a backslash and a dot.
 */
export const FIRST_LINE = '-- Backup of a Linehaul tracking service, format 1';
export const LAST_LINE = '-- End of the backup';
export const END_OF_ROWS = '\\.';

export const toCopyLine = (table: string, columns: string): string =>
  `COPY ${table} (${columns}) FROM stdin;`;

/** Whether a line of the script is followed by rows. */
export const isCopyLine = (line: string): boolean => /^COPY .* FROM stdin;$/.test(line);

/** The schemas of Linehaul: the service's, and the application's where it shares the database. */
export const PARTS = [TRACKING_PART, APPLICATION_PART];
export const SCHEMAS = PARTS.map(({ schema }) => schema);
