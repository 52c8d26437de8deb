import { parse } from 'csv-parse/browser/esm/sync';
import type { CsvError } from 'csv-parse/browser/esm/sync';
import { readCsvText } from '../view/csv';
import { toTable } from './table';
import type { Table, TableRow } from './table';

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

/** What a cell means: a text that a spreadsheet was to keep as it is stands in `="…"`, or behind an apostrophe. */
export const toCellText = (cell: string): string => {
  const formula = /^="((?:[^"]|"")*)"$/.exec(cell);
  return formula === null ? readCsvText(cell) : formula[1]!.replaceAll('""', '"');
};

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
    rows.push({ line, cells: record.map((cell) => toCellText(cell.trim())) });
    return null;
  };
  try {
    parse(toQuotedFormulas(text, delimiter), {
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
