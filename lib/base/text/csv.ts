export type Cell = string | number | null | undefined;

/**
 * The beginnings of formulas: at the start of a cell, and after the cell separators of any country's spreadsheets. An
 * apostrophe that is there already gets another, so that one can be taken away again.
 */
const FORMULA = /(^|[;\t\r\n]\s*)(?='*[=+\-@\t\r＝＋－＠])|^(?='+\d\S*$)/g;
/** The apostrophe before a formula, or before digits, by which a spreadsheet keeps a number as text. */
const DISARMED_FORMULA = /(^|[;\t\r\n]\s*)'(?='*[=+\-@\t\r＝＋－＠])|^'(?='*\d\S*$)/g;

/** A cell quoted as RFC 4180 requires, with an apostrophe before a sign that would begin a formula. */
const toCell = (value: Cell): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = value.replace(FORMULA, (_, before = '') => `${before}'`);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Lines of CSV (RFC 4180), each with its line break; empty where a cell is null. */
export const toCsv = (lines: readonly (readonly Cell[])[]): string =>
  lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');

/** The mark without which Excel reads UTF-8 as Windows-1252. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A file of CSV from its first lines on, in UTF-8 that Excel reads too. */
export const toCsvFile = (lines: readonly (readonly Cell[])[]): string => BYTE_ORDER_MARK + toCsv(lines);

/** The text that `toCsv` wrote into a cell, without the apostrophes that disarm formulas. */
export const readCsvText = (cell: string): string =>
  cell.replace(DISARMED_FORMULA, (_, before = '') => before);
