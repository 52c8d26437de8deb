import 'server-only';
import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '@/lib/base/http/problems';
import { NOT_DERIVED } from '@/lib/wire/fleet';
import { FIXES } from '@/lib/archive/tables';
import { StatementAbortedError, quote } from '@/lib/archive/duck-db';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { requireFew } from '@/lib/past/server/query-limit';
import type { TimeRange } from '@/lib/base/time';

const MOST_EXPORT_FIXES = 100_000_000;
const BYTES_A_PIECE = 64 * 1024;

/** Columns that other programs read without knowing how the archive packs them. Times are marked as UTC. */
const COLUMNS = `unit, make_timestamptz((${FIXES.timeMs}) * 1000) AS fix_at, make_timestamptz(seen_s * 1000000) AS seen_at,
  lat_e5 / 1e5 AS lat, lng_e5 / 1e5 AS lng, nullif(speed_kph, ${NOT_DERIVED}) AS speed_kph,
  nullif(heading_deg, ${NOT_DERIVED}) AS heading_deg, is_by_receipt`;

/** The days of an export; `chosen`: the keys of its units, null: all. */
type ExportRange = TimeRange & { chosen: ReadonlySet<string> | null };

const toCondition = (chosen: ReadonlySet<string> | null): string =>
  chosen === null ? 'true' : `unit IN (${[...chosen, ''].map(quote).join(', ')})`;

type Reader = Pick<HistoryReader, 'countFixes' | 'readFixes'>;

/** A file with the fixes of a fleet that is freed when it is closed; null where there are none. */
const writeFile = (
  reader: Reader,
  usdot: string,
  { chosen, ...range }: ExportRange,
  signal: AbortSignal,
): Promise<FileHandle | null> =>
  reader.readFixes(usdot, range, async ({ duck, from }) => {
    const { scratch } = duck;
    const path = await scratch.write(
      'parquet',
      async (each) => {
        await duck.run(
          `COPY (SELECT DISTINCT ON (${FIXES.key}) ${COLUMNS} FROM ${from} WHERE ${toCondition(chosen)} ORDER BY ${FIXES.key}, seen_s)
           TO ${quote(each)} (FORMAT parquet, COMPRESSION zstd)`,
          signal,
        );
        return each;
      },
      signal,
    );
    // Unlinked as soon as it is open.
    return open(path).finally(() => scratch.delete(path));
  });

/**
 * The fixes of a fleet in a range as a Parquet file, by unit and time, in pieces.
 * @param onWritten called with the size of the file before the first piece
 * @throws AppError 'range-too-long', 'not-recorded' where there are none
 */
export async function* exportFleet(
  reader: Reader,
  usdot: string,
  range: ExportRange,
  { signal, onWritten }: { signal: AbortSignal; onWritten: (bytes: number) => Promise<void> },
): AsyncGenerator<Uint8Array> {
  await requireFew(reader, usdot, [range], MOST_EXPORT_FIXES);
  const file = await writeFile(reader, usdot, range, signal).catch((error: unknown) => {
    if (error instanceof StatementAbortedError) return null;
    throw error;
  });
  if (signal.aborted) return void (await file?.close());
  if (file === null)
    throw new AppError('not-recorded', { detail: 'Nothing was recorded of this fleet on these days.' });
  try {
    await onWritten((await file.stat()).size);
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(BYTES_A_PIECE));
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
