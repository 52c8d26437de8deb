import { parse } from 'csv-parse/sync';
import type { CsvError } from 'csv-parse/sync';

export interface CsvRow {
  /** the line of the file, from 1; the header is line 1 */
  line: number;
  cells: string[];
}

export interface CsvTable {
  /** the column names of the first line, trimmed and in lower case */
  header: string[];
  /** its line: 2 below a line such as `sep=;`, else 1 */
  headerLine: number;
  rows: CsvRow[];
  /** rows that are not CSV, with what is wrong with them */
  broken: { line: number; message: string }[];
}

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** A first line that sets the separator for Excel. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?\r?\n/i;

/** The separator that the header has most of, outside of quotes; spreadsheets of some countries write semicolons. */
const findDelimiter = (text: string): string => {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter;
};

/** Four times what the columns of a vehicle can hold. */
const MAX_RECORD_BYTES = 10_000;
/** The parser copies a row for each fault in it, so a file of only quotes would take minutes. */
const MAX_SYNTAX_FAULTS = 200;

class TooManyFaultsError extends Error {}

/**
 * A file of separated values (RFC 4180): commas, semicolons, tabs or the separator of `sep=`; quotes, CRLF and a byte order
 * mark are understood, empty lines skipped. Reading stops at 200 faults of syntax; the rows before them are returned.
 */
export const parseCsv = (file: string): CsvTable => {
  const broken: CsvTable['broken'] = [];
  const rows: CsvRow[] = [];
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
  const header = (rows.shift()?.cells ?? []).map((name) => name.toLowerCase());
  return { header, headerLine: 1 + skipped, rows, broken };
};
