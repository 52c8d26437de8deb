export interface TableRow {
  /** the line of the file or the row of the sheet, from 1 */
  line: number;
  cells: string[];
  /** what is wrong with cells that cannot be read, by their indexes */
  faults?: Readonly<Record<number, string>>;
}

/** The cells of a file, whatever its format. */
export interface Table {
  /** the column names of the first row, trimmed and in lower case */
  header: string[];
  headerLine: number;
  rows: TableRow[];
  /** rows that are not CSV, with what is wrong with them */
  broken: { line: number; message: string }[];
  /** whether the rest was not read, because too many rows are not CSV */
  isCut?: boolean;
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
  header: (first?.cells ?? []).map((name) => name.toLowerCase()),
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

/** A table below its titles: the header is the first of the upper rows that `isHeader` accepts, or else the first row. */
export const findHeader = (
  table: Table,
  isHeader: (columns: string[]) => boolean,
): { columns: string[]; headerLine: number; rows: TableRow[] } => {
  const { header, headerLine, rows } = table;
  const columns = header.map(toColumnName);
  const above = isHeader(columns)
    ? -1
    : rows.slice(0, MAX_LINES_ABOVE_HEADER).findIndex(({ cells }) => isHeader(cells.map(toColumnName)));
  if (above === -1) return { columns, headerLine, rows };
  const { line, cells } = rows[above]!;
  return { columns: cells.map(toColumnName), headerLine: line, rows: rows.slice(above + 1) };
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
  if (text.includes('\0')) return `The file is neither an Excel workbook (.xlsx) nor CSV. ${EXPORT_AS}`;
  return null;
};
