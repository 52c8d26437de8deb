import { CsvError, parse } from 'csv-parse/sync';

export interface CsvRow {
  /** the line of the file, from 1; the header stands on line 1 */
  line: number;
  cells: string[];
}

export interface CsvTable {
  /** the column names of the first line, trimmed and in lower case */
  header: string[];
  /** where they stand: line 2 under a line such as `sep=;`, else line 1 */
  headerLine: number;
  rows: CsvRow[];
  /** rows that are not CSV, with what is wrong with them */
  broken: { line: number; message: string }[];
}

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** A first line that tells Excel what separates the cells. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?\r?\n/i;

/** The separator that the header has most of, outside of quotes; spreadsheets of some countries write semicolons. */
const findDelimiter = (text: string): string => {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter;
};

/**
 * A file of separated values (RFC 4180): commas, semicolons, tabs or what `sep=` says; quotes, CRLF and a byte order
 * mark are understood, empty lines skipped.
 */
export const parseCsv = (file: string): CsvTable => {
  const broken: CsvTable['broken'] = [];
  const separatorLine = SEPARATOR_LINE.exec(file);
  const text = file.slice(separatorLine?.[0].length ?? 0);
  const delimiter = separatorLine?.[1] ?? findDelimiter(text);
  const skipped = separatorLine === null ? 0 : 1;
  const parsed = parse(text, {
    bom: true,
    info: true,
    delimiter,
    // A tab is white space to the parser: an empty cell before it would be lost.
    trim: delimiter !== '\t',
    skip_empty_lines: true,
    relax_column_count: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error instanceof CsvError)
        broken.push({ line: Number(error.lines) + skipped, message: error.message });
    },
  }) as unknown as Parsed[];
  const [first, ...rest] = parsed.map(({ record, info }) => ({
    // The parser tells where a row ends; a cell may hold line breaks of its own.
    line: info.lines - record.join('').split('\n').length + 1 + skipped,
    cells: record.map((cell) => cell.trim()),
  }));
  const header = (first?.cells ?? []).map((name) => name.toLowerCase());
  return { header, headerLine: 1 + skipped, rows: rest, broken };
};
