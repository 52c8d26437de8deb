import { parse, type CsvError } from 'csv-parse/browser/esm/sync';
import { readCsvText } from '@/lib/base/text/csv';
import { toTable, type Table, type TableRow } from './table';

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** A first line that sets the separator for Excel. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?(?:\r\n|\n|\r)/i;

/** A cell `="0042"` without quotes around it, as programs write it so that Excel keeps the zeros. */
const toQuotedFormulas = (text: string, delimiter: string): string => {
  const sign = delimiter === '\t' ? '\\t' : `\\${delimiter}`;
  const bare = new RegExp(`(^|${sign})="((?:[^"\\r\\n]|"")*)"(?=${sign}|[\\r\\n]|$)`, 'gm');
  return text.replace(bare, (_, before: string, content: string) => `${before}"${content}"`);
};

/** The text of a cell; one that a spreadsheet was to keep stands in `="…"`, or behind an apostrophe. */
export const toCellText = (cell: string): string => {
  const formula = /^="((?:[^"]|"")*)"$/.exec(cell);
  return formula === null ? readCsvText(cell) : formula[1]!.replaceAll('""', '"');
};

/** The part of a file that is searched for its separator. */
const SAMPLE_CHARACTERS = 10_000;

/** The first lines, of which some may be titles. */
const SAMPLE_LINES = 12;

/** The separator that most of the first lines have equally often outside of quotes, or else the most frequent one. */
const findDelimiter = (text: string): string => {
  const begin = text.slice(0, SAMPLE_CHARACTERS);
  // A line that is cut has not all of its separators.
  const end = begin.length < text.length ? Math.max(begin.lastIndexOf('\n'), begin.lastIndexOf('\r')) : -1;
  const whole = end < 0 ? begin : begin.slice(0, end);
  const sample = whole.replace(/"[^"]*"/g, '');
  const lines = sample
    .split(/[\r\n]+/)
    .filter((line) => /[,;\t]/.test(line))
    .slice(0, SAMPLE_LINES);
  const candidates = [',', ';', '\t'].map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0);
    const linesOf = (count: number): number => counts.filter((each) => each === count).length;
    return { delimiter, lines: Math.max(0, ...counts.map(linesOf)), count: Math.max(0, ...counts) };
  });
  return candidates.toSorted((a, b) => b.lines - a.lines || b.count - a.count)[0]!.delimiter;
};

/** A polygon of 500 corners with all their digits, and four times what the columns of a vehicle can hold. */
const MAX_RECORD_BYTES = 40_000;
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
    rows.push({ line, cells: record.map((cell) => toCellText(cell.trim())) });
    return null;
  };
  try {
    parse(toQuotedFormulas(text, delimiter), {
      bom: true,
      info: true,
      delimiter,
      // Files that were put together have several kinds.
      record_delimiter: ['\r\n', '\n', '\r'],
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
