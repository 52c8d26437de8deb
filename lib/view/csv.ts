type Cell = string | number | null | undefined;

/** Quoted as RFC 4180 wants it; a leading sign that a spreadsheet would take for a formula is disarmed. */
const toCell = (value: Cell): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Lines of CSV (RFC 4180), each with its line break; empty where a cell is null. */
export const toCsv = (lines: readonly (readonly Cell[])[]): string =>
  lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
