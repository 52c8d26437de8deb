import { CsvError, parse } from 'csv-parse/sync';

export interface CsvRow {
  /** the line of the file, from 1; the header stands on line 1 */
  line: number;
  cells: string[];
}

export interface CsvTable {
  /** the column names of the first line, trimmed and in lower case */
  header: string[];
  rows: CsvRow[];
  /** rows that are not CSV, with what is wrong with them */
  broken: { line: number; message: string }[];
}

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** A file of comma-separated values (RFC 4180): quotes, CRLF and a byte order mark are understood, empty lines skipped. */
export const parseCsv = (text: string): CsvTable => {
  const broken: CsvTable['broken'] = [];
  const parsed = parse(text, {
    bom: true,
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error instanceof CsvError) broken.push({ line: Number(error.lines), message: error.message });
    },
  }) as unknown as Parsed[];
  const [first, ...rest] = parsed.map(toRow);
  return { header: (first?.cells ?? []).map((name) => name.toLowerCase()), rows: rest, broken };
};

/** The parser tells where a row ends; a cell may hold line breaks of its own. */
const toRow = ({ record, info }: Parsed): CsvRow => ({
  line: info.lines - record.join('').split('\n').length + 1,
  cells: record,
});
