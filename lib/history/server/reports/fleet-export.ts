import 'server-only';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { FIXES } from '../archive/tables';
import { quote } from '../archive/duck-db';
import type { HistoryReader } from '../history-reader';
import { requireFew } from '../query-limit';

interface Range {
  fromMs: number;
  toMs: number;
}

/** The most fixes of one file. */
const MOST_EXPORT_FIXES = 100_000_000;

/** Columns that other programs read without knowing how the archive packs them. */
const COLUMNS = `unit, make_timestamp((${FIXES.timeMs}) * 1000) AS fix_at, make_timestamp(seen_s * 1000000) AS seen_at,
  lat_e5 / 1e5 AS lat, lng_e5 / 1e5 AS lng, speed_kph, heading_deg, is_by_receipt`;

/** A file that is deleted once it was read, or the reader has left. */
export interface ExportedFile {
  bytes: number;
  stream: ReadableStream<Uint8Array>;
}

/** The fixes of a fleet in a range as Parquet, by unit and time; null where there are none. @throws AppError 'range-too-long' */
export const exportFleet = async (
  reader: Pick<HistoryReader, 'countFixes' | 'readFixes'>,
  usdot: string,
  range: Range,
  signal: AbortSignal,
): Promise<ExportedFile | null> => {
  await requireFew(reader, usdot, [range], MOST_EXPORT_FIXES);
  return reader.readFixes(usdot, range, async ({ duck, from, toTemporary }) => {
    const path = toTemporary();
    try {
      await duck.run(
        `COPY (SELECT DISTINCT ON (${FIXES.key}) ${COLUMNS} FROM ${from} ORDER BY ${FIXES.key}, seen_s)
         TO ${quote(path)} (FORMAT parquet, COMPRESSION zstd)`,
        signal,
      );
      const file = await open(path);
      const { size } = await file.stat();
      // Unlinked now, so the file is freed when its stream closes.
      await rm(path);
      return {
        bytes: size,
        stream: Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>,
      };
    } catch (error) {
      await rm(path, { force: true });
      // The client has left.
      if (signal.aborted) return null;
      throw error;
    }
  });
};
