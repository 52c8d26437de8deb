import { addTo } from '@/lib/base/maps';

export interface TableRow {
  /** the line of the file or the row of the sheet, from 1 */
  line: number;
  cells: string[];
  /** what is wrong with cells that cannot be read, by their indexes */
  faults?: Readonly<Record<number, string>>;
}

/** The cells of a file, whatever its format. */
export interface Table {
  /** the column names of the first row, trimmed */
  header: string[];
  headerLine: number;
  rows: TableRow[];
  /** rows that are not CSV, with what is wrong with them */
  broken: { line: number; message: string }[];
  /** whether the rest was not read, because too many rows are not CSV */
  isCut?: boolean;
  /** further sheets of a workbook whose header would do too */
  otherSheets?: string[];
}

/** A file whose cells cannot be read at all. */
export class UnreadableFileError extends Error {
  override name = 'UnreadableFileError';
  readonly code = 'unreadable_file';

  /** @param detail a sentence for the user */
  constructor(
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}

/** Rows of cells as a table whose first row names the columns. */
export const toTable = ([first, ...rows]: TableRow[], broken: Table['broken'] = []): Table => ({
  header: first?.cells ?? [],
  headerLine: first?.line ?? 1,
  rows,
  broken,
});

/** Column names as they are compared: "Radius (m)" is "radius_m". */
export const toColumnName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** A title and a date may stand above the header. */
const MAX_LINES_ABOVE_HEADER = 5;

/** The part of a table from its header on. */
export interface TableBody {
  /** the names as `toColumnName` has them */
  columns: string[];
  /** the names as they are written */
  names: string[];
  headerLine: number;
  rows: TableRow[];
}

/** A table below its titles: the header is the first of the upper rows that `isHeader` accepts, or else the first row. */
export const findHeader = (table: Table, isHeader: (columns: string[]) => boolean): TableBody => {
  const { header, headerLine, rows } = table;
  const columns = header.map(toColumnName);
  const above = isHeader(columns)
    ? -1
    : rows.slice(0, MAX_LINES_ABOVE_HEADER).findIndex(({ cells }) => isHeader(cells.map(toColumnName)));
  if (above === -1) return { columns, names: header, headerLine, rows };
  const { line, cells } = rows[above]!;
  return {
    columns: cells.map(toColumnName),
    names: cells,
    headerLine: line,
    rows: rows.slice(above + 1),
  };
};

/**
 * The places of columns that mean the same, for each such meaning.
 *
 * @param meaningOf what a column means, which is its own name if left out; null: nothing
 */
export const findRepeatedColumns = (
  columns: readonly string[],
  meaningOf: (column: string) => string | null = (column) => column || null,
): number[][] => {
  const places = new Map<string, number[]>();
  columns.forEach((column, at) => {
    const meaning = meaningOf(column);
    if (meaning !== null) addTo(places, meaning, at);
  });
  return [...places.values()].filter(({ length }) => length > 1);
};

/** Names in quotes, as a list: “Lat”, “latitude”. */
export const toQuotedList = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

/** Whether a row has more cells than the header, which are not all empty. Spreadsheets write separators behind the last. */
export const hasSurplus = (
  { cells }: Pick<TableRow, 'cells'>,
  { columns }: Pick<TableBody, 'columns'>,
): boolean => cells.slice(columns.length).some((cell) => cell !== '');

/** The fault of a row whose cells stand below other columns than theirs, as a sentence without its end; null: none. */
export const findWrongLength = (
  row: Pick<TableRow, 'cells'>,
  body: Pick<TableBody, 'columns'>,
): string | null =>
  row.cells.length < body.columns.length || hasSurplus(row, body)
    ? `expected ${body.columns.length} cells as in the header, got ${row.cells.length}`
    : null;

const SPREADSHEET_ERROR =
  /^#(?:N\/A|NAME\?|(?:VALUE|REF|DIV\/0|NUM|NULL|SPILL|CALC|FIELD|BLOCKED|CONNECT)!|GETTING_DATA)$/;
/** A number of many digits as a spreadsheet shortens it; "12E5" may be a name. */
const SHORTENED = /^-?\d+(?:[.,]\d+)?E\+\d+$/i;

/** The damage of a text by a spreadsheet, as the end of a sentence; null: none. */
export const findSpoiled = (text: string): string | null => {
  if (SHORTENED.test(text))
    return `a spreadsheet has shortened a number to "${text}"; give the column the format Text, enter the number again and export the file again`;
  return SPREADSHEET_ERROR.test(text)
    ? `the spreadsheet shows the error ${text}; correct its formula, or clear the cell`
    : null;
};

/** Whether a table has a header that `isHeader` accepts. */
export const hasHeader = (table: Table, isHeader: (columns: string[]) => boolean): boolean =>
  isHeader(findHeader(table, isHeader).columns);

const EXPORT_AS = 'Save it as Excel Workbook (.xlsx) or as CSV.';
/** The name of the stream that holds an encrypted workbook (MS-OFFCRYPTO 2.3.4.4), in UTF-16. */
const ENCRYPTED_PACKAGE = [...'EncryptedPackage'].join('\0');

export const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte);

/** The first bytes of a ZIP archive, which a workbook and a KMZ file are. */
export const ZIP_SIGNATURE = [0x50, 0x4b];

/** Why a file that is no workbook is no text with separators either; null for one that may be. */
export const findRefusal = (bytes: Uint8Array, text: string): string | null => {
  if (bytes.length === 0) return 'The file is empty.';
  // The container of the Office formats before 2007, and of encrypted ones since.
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    return new TextDecoder('latin1').decode(bytes).includes(ENCRYPTED_PACKAGE)
      ? 'The workbook is protected by a password. Open it in Excel and save it without one.'
      : `The file is in a format of Excel before 2007 (.xls). ${EXPORT_AS}`;
  if (text.startsWith('%PDF-')) return `The file is a PDF. ${EXPORT_AS}`;
  if (/^\s*<(?:!doctype|html|table|\?xml)\b/i.test(text))
    return `The file is a web page or XML, whatever its name. Open it in Excel and save it as Excel Workbook (.xlsx).`;
  if (text.startsWith('{\\rtf')) return `The file is a text document (RTF). ${EXPORT_AS}`;
  const zero = text.indexOf('\0');
  if (zero < 0) return null;
  return isMostlyText(text)
    ? `Line ${text.slice(0, zero).split('\n').length} has a zero byte, which no text has: the file is damaged there. ${EXPORT_AS}`
    : `The file is neither an Excel workbook (.xlsx) nor CSV. ${EXPORT_AS}`;
};

/** Whether nearly all characters of a file's beginning are such as people write. */
const isMostlyText = (text: string): boolean => {
  const sample = text.slice(0, 1000);
  return sample.replace(/[^\p{L}\p{N}\p{P}\p{S}\s]/gu, '').length > 0.9 * sample.length;
};

/** The kind of an archive, by the names in it, that is neither a workbook nor KMZ, with what to do; null: not known. */
export const findArchiveRefusal = (names: readonly string[]): string | null => {
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  const kind = [
    [/^xl\/workbook\.bin$/, 'an Excel Binary Workbook (.xlsb)'],
    [/^content\.xml$/, 'an OpenDocument file (.ods)'],
    [/^Index\/|^Index\.zip$/, 'a Numbers spreadsheet'],
    [/^word\//, 'a Word document'],
    [/^ppt\//, 'a PowerPoint document'],
  ].find(([pattern]) => has(pattern as RegExp))?.[1];
  return kind === undefined
    ? null
    : `The file is not an Excel workbook (.xlsx) but ${String(kind)}. ${EXPORT_AS}`;
};
