import { HucreError, type CellValue, type Sheet } from 'hucre';
import { readXlsx } from 'hucre/xlsx';
import { toCellText } from './csv';
import {
  UnreadableFileError,
  findArchiveRefusal,
  hasHeader,
  toTable,
  type Table,
  type TableRow,
} from './table';

/** Room for a hundred thousand vehicles with every column. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;
const MAX_ROWS = 200_000;
const MAX_COLUMNS = 50;

const NOT_A_WORKBOOK = 'The file is not an Excel workbook (.xlsx), or it is damaged.';

export const TOO_LARGE_WORKBOOK =
  'The workbook is too large. Delete pictures, other sheets and columns that are not needed, or save the sheet as CSV.';
const IN_ZIP64 =
  'The workbook is packed as ZIP64, which is for files of more than 4 GB. Open it in Excel and save it again, or save the sheet as CSV.';

/** Signatures, lengths and field offsets of ZIP (APPNOTE.TXT 4.3.12 and 4.3.16). */
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const SIZES_FOLLOW_FLAG = 8;
/** An empty entry is packed into two bytes. */
const MAX_EMPTY_BYTES = 2;
/** Stands for a number that only a ZIP64 record holds. */
const IN_RECORD = 0xffffffff;
const ENTRIES_IN_RECORD = 0xffff;

/** The place of the record at an archive's end; -1: it has none. */
const findEnd = (archive: DataView): number => {
  const last = archive.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - MAX_COMMENT_BYTES; at--)
    if (archive.getUint32(at, true) === END_SIGNATURE) return at;
  return -1;
};

/** Whether numbers of an archive stand in the records of ZIP64 (APPNOTE.TXT 4.3.14 to 4.3.16). */
const isZip64 = (archive: DataView, end: number): boolean => {
  const locator = end - ZIP64_LOCATOR_BYTES;
  return (
    (locator >= 0 && archive.getUint32(locator, true) === ZIP64_LOCATOR_SIGNATURE) ||
    archive.getUint16(end + 10, true) === ENTRIES_IN_RECORD ||
    [12, 16].some((field) => archive.getUint32(end + field, true) === IN_RECORD)
  );
};

/**
 * Refuses an archive that unpacks to more than a workbook of vehicles needs. The library holds each entry to the size in
 * the directory, and takes one from elsewhere if the directory has none: such archives, and those of ZIP64, are refused.
 */
const requireBoundedArchive = (bytes: Uint8Array): void => {
  const archive = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(archive);
  if (end < 0) throw new UnreadableFileError(NOT_A_WORKBOOK);
  if (isZip64(archive, end)) throw new UnreadableFileError(IN_ZIP64);
  let at = archive.getUint32(end + 16, true);
  let unpackedBytes = 0;
  const names: string[] = [];
  for (let entries = archive.getUint16(end + 10, true); entries > 0; entries--) {
    if (at + ENTRY_BYTES > archive.byteLength || archive.getUint32(at, true) !== ENTRY_SIGNATURE)
      throw new UnreadableFileError(NOT_A_WORKBOOK);
    const packed = archive.getUint32(at + 20, true);
    const declared = archive.getUint32(at + 24, true);
    if (packed === IN_RECORD || declared === IN_RECORD) throw new UnreadableFileError(IN_ZIP64);
    const doSizesFollow = (archive.getUint16(at + 8, true) & SIZES_FOLLOW_FLAG) !== 0;
    const hasSizes =
      packed === 0 ? declared === 0 && !doSizesFollow : declared > 0 || packed <= MAX_EMPTY_BYTES;
    if (!hasSizes) throw new UnreadableFileError(NOT_A_WORKBOOK);
    unpackedBytes += declared;
    names.push(
      new TextDecoder().decode(
        bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + archive.getUint16(at + 28, true)),
      ),
    );
    at += ENTRY_BYTES + [28, 30, 32].reduce((sum, field) => sum + archive.getUint16(at + field, true), 0);
  }
  if (unpackedBytes > MAX_UNPACKED_BYTES) throw new UnreadableFileError(TOO_LARGE_WORKBOOK);
  const refusal = findArchiveRefusal(names);
  if (refusal !== null) throw new UnreadableFileError(refusal);
};

/** A cell as in CSV, with all digits of a whole number; one beyond 2^53 is shortened, which columns refuse. */
const toText = (value: CellValue): string => {
  if (value === null) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean') return String(value).toUpperCase();
  if (value instanceof Date) return toDateText(value);
  if (Number.isSafeInteger(value)) return String(value);
  // A spreadsheet shows 15 digits and stores 17: 12.3 is stored as 12.300000000000001.
  return Number.isInteger(value)
    ? value.toExponential().toUpperCase()
    : String(Number(value.toPrecision(15)));
};

/** A time of day alone is on the first day of a workbook's calendar, which begins in 1900 or in 1904. */
const FIRST_DAY_ENDS_MS = Date.UTC(1904, 0, 2);

/** A date or a time of day as text, or both: a spreadsheet stores fractions of days. */
const toDateText = (date: Date): string => {
  const atMs = Math.round(date.getTime() / 1000) * 1000;
  if (Number.isNaN(atMs)) return '';
  const [day = '', time = ''] = new Date(atMs).toISOString().split('T');
  if (atMs < FIRST_DAY_ENDS_MS) return time.slice(0, 8);
  return time.startsWith('00:00:00') ? day : `${day}T${time.slice(0, 8)}`;
};

const A_DATE =
  'a spreadsheet has made a date of the value; give the column the format Text and enter the value again';
const NO_RESULT =
  'the cell has a formula whose result is not in the file; open the file in Excel and save it, or enter the value';

interface CellOptions {
  /** Dates and times are texts; else they are faults: a spreadsheet has made them of something else. */
  hasDates?: boolean;
}

const toRow = (
  line: number,
  values: CellValue[],
  faults: Record<number, string>,
  { hasDates = false }: CellOptions,
): TableRow | null => {
  const last = values.findLastIndex((value, index) => (value !== null && value !== '') || index in faults);
  const cells = values.slice(0, last + 1);
  if (cells.length === 0) return null;
  if (cells.length > MAX_COLUMNS) throw new UnreadableFileError(TOO_LARGE_WORKBOOK);
  cells.forEach((value, index) => {
    if (value instanceof Date && !hasDates) faults[index] = A_DATE;
  });
  const texts = cells.map((value) => toCellText(toText(value)));
  return { line, cells: texts, ...(Object.keys(faults).length > 0 && { faults }) };
};

/** The cells, by row and column, that have a formula without a result; a text formula, `="0042"`, becomes a value. */
const findUnresolved = ({ cells, rows }: Sheet): Map<number, Record<number, string>> => {
  const faults = new Map<number, Record<number, string>>();
  for (const [place, { formula, value, formulaResult }] of cells ?? []) {
    if (formula === undefined || (value ?? formulaResult ?? null) !== null) continue;
    const [row, column] = place.split(',').map(Number) as [number, number];
    const written = `=${formula}`;
    const isText = toCellText(written) !== written;
    if (isText) rows[row] = Object.assign(Array(column + 1).fill(null), rows[row], { [column]: written });
    else faults.set(row, { ...faults.get(row), [column]: NO_RESULT });
  }
  return faults;
};

const readSheet = (sheet: Sheet, options: CellOptions): Table => {
  const unresolved = findUnresolved(sheet);
  const rows: TableRow[] = [];
  const length = Math.max(sheet.rows.length, ...[...unresolved.keys()].map((row) => row + 1));
  for (let index = 0; index < length; index++) {
    const row = toRow(index + 1, sheet.rows[index] ?? [], unresolved.get(index) ?? {}, options);
    if (row !== null && rows.push(row) > MAX_ROWS) throw new UnreadableFileError(TOO_LARGE_WORKBOOK);
  }
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  for (const { cells } of rows) while (cells.length < width) cells.push('');
  return toTable(rows);
};

/** The sheets of a workbook that people see and that have cells. */
const readShownSheets = async (bytes: Uint8Array): Promise<Sheet[]> => {
  const withoutCells = new Set<string>();
  for (;;) {
    try {
      const { sheets } = await readXlsx(bytes, {
        sheets: ({ name, hidden, veryHidden }) => !hidden && !veryHidden && !withoutCells.has(name),
      });
      return sheets;
    } catch (error) {
      // The library refuses a workbook for a sheet that is a chart.
      const name = /missing worksheet file for sheet "(.*)"$/s.exec(String(error))?.[1];
      if (name === undefined || withoutCells.has(name)) throw error;
      withoutCells.add(name);
    }
  }
};

/**
 * The sheet of an Excel workbook whose header `isHeader` accepts, else the first shown one, without empty rows and with
 * short ones filled up. @throws UnreadableFileError
 */
export const readWorkbook = async (
  bytes: Uint8Array,
  isHeader: (columns: string[]) => boolean,
  options: CellOptions = {},
): Promise<Table> => {
  requireBoundedArchive(bytes);
  try {
    const sheets = await readShownSheets(bytes);
    const tables = sheets.map((sheet) => ({ name: sheet.name, table: readSheet(sheet, options) }));
    const fitting = tables.filter(({ table }) => hasHeader(table, isHeader));
    const { table } = fitting[0] ?? tables[0] ?? { table: toTable([]) };
    return { ...table, otherSheets: fitting.slice(1).map(({ name }) => name) };
  } catch (error) {
    if (error instanceof HucreError) throw new UnreadableFileError(NOT_A_WORKBOOK, { cause: error });
    throw error;
  }
};
