import { parse } from 'csv-parse/sync';
import type { CsvError } from 'csv-parse/sync';

export interface TableRow {
  /** the line of the file or the row of the sheet, from 1 */
  line: number;
  cells: string[];
  /** the indexes of cells that a spreadsheet holds as dates */
  dates?: number[];
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

export const TOO_LARGE_WORKBOOK =
  'The workbook is too large. Delete pictures, other sheets and columns that are not needed, or save the sheet as CSV.';

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

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** A first line that sets the separator for Excel. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?\r?\n/i;

/** The part of a file that is searched for its separator. */
const SAMPLE_CHARACTERS = 10_000;

/**
 * The separator that the header has most of, outside of quotes; spreadsheets of some countries write semicolons. A title
 * above the header has none.
 */
const findDelimiter = (text: string): string => {
  const sample = text.slice(0, SAMPLE_CHARACTERS).replace(/"[^"]*"/g, '');
  const header = /^.*[,;\t].*$/m.exec(sample)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter;
};

/** Four times what the columns of a vehicle can hold. */
const MAX_RECORD_BYTES = 10_000;
/** The parser copies a row for each fault in it, so a file of only quotes would take minutes. */
export const MAX_SYNTAX_FAULTS = 200;

class TooManyFaultsError extends Error {}

/**
 * A file of separated values (RFC 4180): commas, semicolons, tabs or the separator of `sep=`; quotes, CRLF and a byte order
 * mark are understood, empty lines skipped. Reading stops at 200 faults of syntax; the rows before them are returned.
 */
export const parseCsv = (file: string): Table => {
  const broken: Table['broken'] = [];
  const rows: TableRow[] = [];
  const separatorLine = SEPARATOR_LINE.exec(file);
  const text = file.slice(separatorLine?.[0].length ?? 0);
  const delimiter = separatorLine?.[1] ?? findDelimiter(text);
  const skipped = separatorLine === null ? 0 : 1;
  let faults = 0;
  const noteFault = (error: CsvError | undefined): undefined => {
    if (error === undefined) return;
    const line = Number(error.lines) + skipped;
    if (broken.at(-1)?.line !== line) broken.push({ line, message: error.message });
    if (++faults >= MAX_SYNTAX_FAULTS) throw new TooManyFaultsError();
  };
  const addRow = ({ record, info }: Parsed): null => {
    // Rows end where the parser ends them: a cell may contain line breaks.
    const line = info.lines - record.join('').split('\n').length + 1 + skipped;
    rows.push({ line, cells: record.map((cell) => cell.trim()) });
    return null;
  };
  try {
    parse(text, {
      bom: true,
      info: true,
      delimiter,
      // A tab is white space to the parser: an empty cell before it would be lost.
      trim: delimiter !== '\t',
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: MAX_RECORD_BYTES,
      skip_records_with_error: true,
      on_skip: noteFault,
      on_record: (parsed) => addRow(parsed as unknown as Parsed),
    });
  } catch (error) {
    if (!(error instanceof TooManyFaultsError)) throw error;
  }
  return { ...toTable(rows, broken), isCut: faults >= MAX_SYNTAX_FAULTS };
};

/** Rows of cells as a table whose first row names the columns. */
export const toTable = ([first, ...rows]: TableRow[], broken: Table['broken'] = []): Table => ({
  header: (first?.cells ?? []).map((name) => name.toLowerCase()),
  headerLine: first?.line ?? 1,
  rows,
  broken,
});
