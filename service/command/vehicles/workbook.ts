import { HucreError } from 'hucre';
import { streamXlsxRows } from 'hucre/xlsx';
import { TOO_LARGE_WORKBOOK, UnreadableFileError, toTable } from './csv';
import type { CellValue } from 'hucre';
import type { Table, TableRow } from './csv';

/** Room for a hundred thousand vehicles with every column. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;
const MAX_ROWS = 200_000;
const MAX_COLUMNS = 50;

const NOT_A_WORKBOOK = 'The file is not an Excel workbook (.xlsx), or it is damaged.';

/** Signatures, lengths and field offsets of ZIP (APPNOTE.TXT 4.3.12 and 4.3.16). */
const END_SIGNATURE = Buffer.from([0x50, 0x4b, 5, 6]);
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const SIZES_FOLLOW_FLAG = 8;
/** An empty entry is packed into two bytes. */
const MAX_EMPTY_BYTES = 2;
const ZIP64 = 0xffffffff;

/**
 * Refuses an archive that unpacks to more than a workbook of vehicles needs. The library holds each entry to the size in
 * the directory, and takes one from elsewhere if the directory has none: such archives, and those of ZIP64, are refused.
 */
const requireBoundedArchive = (bytes: Uint8Array): void => {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = archive.lastIndexOf(END_SIGNATURE);
  const isWhole = end >= 0 && end + END_BYTES <= archive.length;
  if (!isWhole || archive.readUInt32LE(end + 12) === ZIP64) throw new UnreadableFileError(NOT_A_WORKBOOK);
  let at = archive.readUInt32LE(end + 16);
  let unpackedBytes = 0;
  for (let entries = archive.readUInt16LE(end + 10); entries > 0; entries--) {
    if (at + ENTRY_BYTES > archive.length || archive.readUInt32LE(at) !== ENTRY_SIGNATURE)
      throw new UnreadableFileError(NOT_A_WORKBOOK);
    const packed = archive.readUInt32LE(at + 20);
    const declared = archive.readUInt32LE(at + 24);
    const doSizesFollow = (archive.readUInt16LE(at + 8) & SIZES_FOLLOW_FLAG) !== 0;
    const hasSizes =
      packed === 0 ? declared === 0 && !doSizesFollow : declared > 0 || packed <= MAX_EMPTY_BYTES;
    if (!hasSizes) throw new UnreadableFileError(NOT_A_WORKBOOK);
    unpackedBytes += declared;
    at += ENTRY_BYTES;
    at += archive.readUInt16LE(at - 18) + archive.readUInt16LE(at - 16) + archive.readUInt16LE(at - 14);
  }
  if (unpackedBytes > MAX_UNPACKED_BYTES) throw new UnreadableFileError(TOO_LARGE_WORKBOOK);
};

/**
 * A cell as CSV would have it, except that a whole number keeps all its digits. One beyond 2^53 has lost some, so it is
 * written as a spreadsheet shortens it, which every column refuses.
 */
const toText = (value: CellValue): string => {
  if (value === null) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean') return String(value).toUpperCase();
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (Number.isSafeInteger(value)) return String(value);
  // A spreadsheet shows 15 digits and stores 17: 12.3 is stored as 12.300000000000001.
  return Number.isInteger(value)
    ? value.toExponential().toUpperCase()
    : String(Number(value.toPrecision(15)));
};

const toRow = (line: number, values: CellValue[]): TableRow | null => {
  const cells = values.slice(0, values.findLastIndex((value) => value !== null && value !== '') + 1);
  if (cells.length === 0) return null;
  if (cells.length > MAX_COLUMNS) throw new UnreadableFileError(TOO_LARGE_WORKBOOK);
  const dates = cells.flatMap((value, index) => (value instanceof Date ? [index] : []));
  return { line, cells: cells.map(toText), ...(dates.length > 0 && { dates }) };
};

/**
 * The first sheet of an Excel workbook (.xlsx). Empty rows are skipped, and short ones filled up to the width of the sheet.
 *
 * @throws UnreadableFileError
 */
export const readWorkbook = async (bytes: Uint8Array): Promise<Table> => {
  requireBoundedArchive(bytes);
  const rows: TableRow[] = [];
  try {
    for await (const { index, values } of streamXlsxRows(bytes)) {
      const row = toRow(index + 1, values);
      if (row !== null && rows.push(row) > MAX_ROWS) throw new UnreadableFileError(TOO_LARGE_WORKBOOK);
    }
  } catch (error) {
    if (error instanceof HucreError) throw new UnreadableFileError(NOT_A_WORKBOOK, { cause: error });
    throw error;
  }
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  for (const { cells } of rows) while (cells.length < width) cells.push('');
  return toTable(rows);
};
