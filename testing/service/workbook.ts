import { strToU8, zipSync } from 'fflate';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A cell of a sheet: text, a number as Excel stores it, a number with the format of a date, or an error; null: none. */
export type SheetCell = string | number | { serial: number } | { error: string } | null;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The first 26 columns. */
const toAddress = (row: number, column: number): string => `${String.fromCharCode(65 + column)}${row}`;

const toCell = (cell: SheetCell, address: string, strings: Map<string, number>): string => {
  if (cell === null) return '';
  if (typeof cell === 'string') {
    if (!strings.has(cell)) strings.set(cell, strings.size);
    return `<c r="${address}" t="s"><v>${strings.get(cell)}</v></c>`;
  }
  if (typeof cell === 'number') return `<c r="${address}"><v>${String(cell).toUpperCase()}</v></c>`;
  if ('serial' in cell) return `<c r="${address}" s="1"><v>${cell.serial}</v></c>`;
  return `<c r="${address}" t="e"><v>${cell.error}</v></c>`;
};

/** An XLSX file in the parts that Excel writes; an empty list of cells is a row that the sheet does not have. */
export const createWorkbook = (rows: SheetCell[][], merged: string[] = []): Uint8Array => {
  const strings = new Map<string, number>();
  const cellsOf = (cells: SheetCell[], row: number): string =>
    cells.map((cell, column) => toCell(cell, toAddress(row, column), strings)).join('');
  const lines = rows
    .map((cells, index) =>
      cells.length === 0 ? '' : `<row r="${index + 1}">${cellsOf(cells, index + 1)}</row>`,
    )
    .join('');
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${SHEET_TYPE}.sharedStrings+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr defaultThemeVersion="166925"/><sheets><sheet name="Fleet" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId3" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><dimension ref="A1:${toAddress(rows.length, 25)}"/><sheetData>${lines}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}</worksheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${[...strings.keys()].map((text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`).join('')}</sst>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(HEAD + xml)])));
};
