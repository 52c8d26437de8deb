import 'server-only';
import { readFile } from 'node:fs/promises';
import type PDFDocument from 'pdfkit';
import { HEIGHT, WIDTH } from '@/lib/shares/server/page/frame';
import type { Block, MapBlock } from '../../blocks';
import type { Drawing } from '../page/drawing';

export type Paper = 'letter' | 'a4';

/** The files that a PDF carries: what was signed, and its JSON by itself. */
export const JWS_FILE = 'document.jws';
export const JSON_FILE = 'document.json';

/** A part of a document with its map as a drawing; null: it has nothing to show. */
export type DrawnBlock = Exclude<Block, MapBlock> | (MapBlock & { drawing: Drawing | null });

/** What a PDF is drawn from. */
export interface PdfJob {
  carrier: string;
  heading: string;
  /** Its number and revision, as its title and at the foot of each page. */
  title: string;
  foot: string;
  issuedMs: number;
  paper: Paper;
  blocks: DrawnBlock[];
  /** How it is checked. */
  check: { heading: string; text: string };
  /** The files that it carries. */
  jws: string;
  json: string;
}

const FONT_FOLDER = 'node_modules/dejavu-fonts-ttf/ttf';
/** It has Latin, Greek and Cyrillic letters, so that no name of a place loses one. */
const FONTS = { plain: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' };
const MARGIN = 48;
const COLORS = { text: '#17212e', dim: '#566579', line: '#c9d2dc', accent: '#1864ab', land: '#f7f8f6' };
/** The colors of the page's style in daylight, by the classes of the ground. */
const FILLS: Readonly<Record<string, string>> = { fa: '#ecefec', la: '#f7f8f6', wa: '#cfdde8' };
const LINES: Readonly<Record<string, readonly [color: string, width: number]>> = {
  se: ['#ecefec', 4],
  bo: ['#c9d2dc', 1.6],
  ri: ['#cfdde8', 2.5],
  co: ['#e6eaee', 1.5],
  st: ['#c9d2dc', 2.6],
  roads: ['#e2bf94', 4.5],
};

type Pdf = PDFKit.PDFDocument;
type Parent = PDFKit.PDFStructureElement;

let loading: Promise<{ Document: typeof PDFDocument; plain: Buffer; bold: Buffer }> | null = null;

/** The library and its fonts, 40 MB of memory, which are loaded for the first PDF. */
const load = () =>
  (loading ??= Promise.all([
    import('pdfkit'),
    readFile(`${FONT_FOLDER}/${FONTS.plain}`),
    readFile(`${FONT_FOLDER}/${FONTS.bold}`),
  ]).then(
    ([{ default: Document }, plain, bold]) => ({ Document, plain, bold }),
    (error: unknown) => {
      loading = null;
      throw error;
    },
  ));

/** Options that the library has and its types lack. */
const toOptions = (options: { scope?: string; alt?: string; bbox?: number[] }) =>
  options as PDFKit.Mixins.StructureElementOptions;

const room = (pdf: Pdf): number => pdf.page.width - 2 * MARGIN;

/** Begins a page where less than this is left. */
const keepTogether = (pdf: Pdf, height: number): void => {
  if (pdf.y + height > pdf.page.height - MARGIN) pdf.addPage();
};

/** A paragraph in the tree of tags. */
const addText = (pdf: Pdf, parent: Parent, type: 'H1' | 'H2' | 'P' | 'Caption', text: string): void => {
  const size = { H1: 20, H2: 13, P: 10, Caption: 8.5 }[type];
  const isHeading = type === 'H1' || type === 'H2';
  keepTogether(pdf, isHeading ? 60 : size * 1.4);
  if (type === 'H2') pdf.y += 10;
  parent.add(
    pdf.struct(type, {}, () => {
      pdf
        .font(isHeading ? 'bold' : 'plain')
        .fontSize(size)
        .fillColor(type === 'Caption' ? COLORS.dim : COLORS.text)
        .text(text, MARGIN, pdf.y, { width: room(pdf) });
    }),
  );
  pdf.y += 4;
};

interface Cell {
  text: string;
  isHead?: boolean;
}

const PADDING = 3;

interface TableOptions {
  head: string[] | null;
  rows: Cell[][];
  widths: number[];
  size: number;
}

const setCell = (pdf: Pdf, { isHead = false }: Cell, size: number): Pdf =>
  pdf
    .font(isHead ? 'bold' : 'plain')
    .fontSize(size)
    .fillColor(isHead ? COLORS.dim : COLORS.text);

/** A row of a table; `isAgain`: the head on a further page, which is not part of the text. */
const addRow = (
  pdf: Pdf,
  table: Parent,
  row: Cell[],
  {
    widths,
    size,
    height,
    isAgain,
  }: Pick<TableOptions, 'widths' | 'size'> & { height: number; isAgain: boolean },
): void => {
  const top = pdf.y;
  const paint = (cell: Cell, i: number): void => {
    const left = MARGIN + widths.slice(0, i).reduce((sum, width) => sum + width, 0);
    setCell(pdf, cell, size).text(cell.text, left + PADDING, top + PADDING, {
      width: widths[i]! - 2 * PADDING,
    });
  };
  pdf.markContent('Artifact', { type: 'Layout' });
  pdf
    .lineWidth(0.5)
    .strokeColor(COLORS.line)
    .moveTo(MARGIN, top)
    .lineTo(MARGIN + room(pdf), top)
    .stroke();
  if (isAgain) row.forEach(paint);
  pdf.endMarkedContent();
  if (!isAgain) {
    const line = pdf.struct('TR');
    table.add(line);
    row.forEach((cell, i) => {
      // A row of facts begins with its label.
      const scope = row.every(({ isHead }) => isHead) ? 'Column' : 'Row';
      line.add(
        pdf.struct(cell.isHead ? 'TH' : 'TD', toOptions(cell.isHead ? { scope } : {}), [
          () => paint(cell, i),
        ]),
      );
    });
    line.end();
  }
  pdf.y = top + height;
};

/** A table, whose head is written again on each page. */
const addTable = (pdf: Pdf, parent: Parent, { head, rows, widths, size }: TableOptions): void => {
  const table = pdf.struct('Table');
  parent.add(table);
  const heightOf = (row: Cell[]): number => {
    const heights = row.map((cell, i) =>
      setCell(pdf, cell, size).heightOfString(cell.text || ' ', { width: widths[i]! - 2 * PADDING }),
    );
    return Math.max(...heights) + 2 * PADDING;
  };
  const add = (row: Cell[], isAgain = false): void =>
    addRow(pdf, table, row, { widths, size, height: heightOf(row), isAgain });
  const headRow = head?.map((text) => ({ text, isHead: true })) ?? null;
  if (headRow) {
    keepTogether(pdf, heightOf(headRow) * 3);
    add(headRow);
  }
  for (const row of rows) {
    if (pdf.y + heightOf(row) > pdf.page.height - MARGIN) {
      pdf.addPage();
      if (headRow) add(headRow, true);
    }
    add(row);
  }
  table.end();
  pdf.y += 6;
};

const paintMap = (pdf: Pdf, { ground, circle, trail, points, scale }: Drawing): void => {
  pdf.rect(0, 0, WIDTH, HEIGHT).fill('#cfdde8');
  for (const { name, d } of ground) {
    const [fill, line] = [FILLS[name], LINES[name]];
    if (fill !== undefined) pdf.path(d).fill(fill);
    if (line !== undefined) pdf.path(d).lineWidth(line[1]).stroke(line[0]);
  }
  if (circle)
    pdf
      .circle(circle.x, circle.y, circle.r)
      .lineWidth(3)
      .fillOpacity(0.18)
      .fillAndStroke(COLORS.accent, COLORS.accent);
  pdf.fillOpacity(1);
  trail.forEach(({ x, y }, i) => (i === 0 ? pdf.moveTo(x, y) : pdf.lineTo(x, y)));
  if (trail.length > 1) pdf.lineWidth(4).stroke(COLORS.accent);
  for (const { x, y } of trail) pdf.circle(x, y, 4).fill(COLORS.accent);
  pdf.font('bold').fontSize(20);
  for (const { x, y, label, labelY } of points) {
    pdf.circle(x, y, 9).lineWidth(6).fillAndStroke('#ffffff', COLORS.text);
    const width = pdf.widthOfString(label);
    pdf
      .fillColor(COLORS.text)
      .text(label, x > WIDTH * 0.6 ? x - 16 - width : x + 16, labelY - 13, { lineBreak: false });
  }
  pdf
    .moveTo(24, HEIGHT - 34)
    .lineTo(24, HEIGHT - 24)
    .lineTo(24 + scale.length, HEIGHT - 24)
    .lineTo(24 + scale.length, HEIGHT - 34)
    .lineWidth(2)
    .stroke(COLORS.text);
  pdf
    .font('plain')
    .fillColor(COLORS.text)
    .text(scale.text, 34, HEIGHT - 56, { lineBreak: false });
};

/** The height of a map with its caption, and of a heading above it. */
const [MAP_WIDTH, CAPTION, HEADING] = [380, 30, 40];
const mapHeight = (pdf: Pdf): number => (Math.min(room(pdf), MAP_WIDTH) * HEIGHT) / WIDTH;

const addMap = (
  pdf: Pdf,
  parent: Parent,
  { drawing, ...block }: Extract<DrawnBlock, { type: 'map' }>,
): void => {
  if (drawing === null) return addText(pdf, parent, 'P', block.caption);
  const width = Math.min(room(pdf), MAP_WIDTH);
  const height = mapHeight(pdf);
  keepTogether(pdf, height + CAPTION);
  const top = pdf.y;
  parent.add(
    pdf.struct(
      'Figure',
      toOptions({ alt: block.caption, bbox: [MARGIN, top, MARGIN + width, top + height] }),
      [
        () => {
          pdf.save();
          pdf.rect(MARGIN, top, width, height).clip();
          pdf.translate(MARGIN, top).scale(width / WIDTH);
          paintMap(pdf, drawing);
          pdf.restore();
        },
      ],
    ),
  );
  pdf.y = top + height + 6;
  addText(pdf, parent, 'Caption', block.caption);
};

const addBlock = (pdf: Pdf, parent: Parent, block: DrawnBlock): void => {
  switch (block.type) {
    case 'heading':
      return addText(pdf, parent, 'H2', block.text);
    case 'text':
      return addText(pdf, parent, 'P', block.text);
    case 'facts': {
      const rows = block.facts.map(({ label, value, note }) => [
        { text: label, isHead: true },
        { text: note === undefined ? value : `${value}\n${note}` },
      ]);
      return addTable(pdf, parent, {
        head: null,
        rows,
        widths: [room(pdf) * 0.34, room(pdf) * 0.66],
        size: 9.5,
      });
    }
    case 'table': {
      addText(pdf, parent, 'Caption', block.caption);
      const rows = block.rows.map((row) => row.map((text) => ({ text })));
      const longest = block.columns.map((column, i) =>
        Math.min(40, Math.max(8, column.length, ...block.rows.map((row) => row[i]?.length ?? 0))),
      );
      const all = longest.reduce((sum, length) => sum + length, 0);
      const widths = longest.map((length) => (room(pdf) * length) / all);
      return addTable(pdf, parent, { head: block.columns, rows, widths, size: 8 });
    }
    case 'map':
      return addMap(pdf, parent, block);
  }
};

const addBlocks = (pdf: Pdf, parent: Parent, blocks: readonly DrawnBlock[]): void => {
  for (const [i, block] of blocks.entries()) {
    // No heading stands alone at the end of a page.
    if (block.type === 'heading' && blocks[i + 1]?.type === 'map')
      keepTogether(pdf, HEADING + mapHeight(pdf) + CAPTION);
    addBlock(pdf, parent, block);
  }
};

/** Number, revision and page at the foot of each page, which are not part of the text. */
const addFeet = (pdf: Pdf, foot: string): void => {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page);
    const { bottom } = pdf.page.margins;
    // Else a text below the margin begins a page.
    pdf.page.margins.bottom = 0;
    pdf.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    pdf
      .font('plain')
      .fontSize(8)
      .fillColor(COLORS.dim)
      .text(foot, MARGIN, pdf.page.height - 32, { lineBreak: false })
      .text(`Page ${page - start + 1} of ${count}`, pdf.page.width - MARGIN - 90, pdf.page.height - 32, {
        width: 90,
        align: 'right',
        lineBreak: false,
      });
    pdf.endMarkedContent();
    pdf.page.margins.bottom = bottom;
  }
};

const addFiles = (pdf: Pdf, { jws, json, issuedMs }: PdfJob): void => {
  const issuedAt = new Date(issuedMs);
  const dates = { creationDate: issuedAt, modifiedDate: issuedAt };
  pdf.file(Buffer.from(jws), {
    ...{ name: JWS_FILE, type: 'application/jose', description: 'The signed document (JWS, compact form)' },
    ...{ ...dates, relationship: 'Source' },
  } as PDFKit.Mixins.PDFAttachmentOptions);
  pdf.file(Buffer.from(json), {
    ...{
      name: JSON_FILE,
      type: 'application/json',
      description: 'The content of the document as canonical JSON',
    },
    ...{ ...dates, relationship: 'Data' },
  } as PDFKit.Mixins.PDFAttachmentOptions);
};

/** Draws a document as a tagged PDF that carries what was signed. Takes a tenth of a second, and seconds for many fixes. */
export const drawPdf = async (job: PdfJob): Promise<Uint8Array<ArrayBuffer>> => {
  const { Document, plain, bold } = await load();
  const issuedAt = new Date(job.issuedMs);
  const pdf = new Document({
    ...{ size: job.paper, margin: MARGIN, bufferPages: true, autoFirstPage: false },
    ...{ pdfVersion: '1.7', subset: 'PDF/UA', tagged: true, lang: 'en-US', displayTitle: true },
    info: {
      Title: job.title,
      Author: job.carrier,
      Creator: 'Linehaul',
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  } as object);
  const chunks: Buffer[] = [];
  const done = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => void chunks.push(chunk));
    pdf.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
    pdf.on('error', reject);
  });
  pdf.registerFont('plain', plain).registerFont('bold', bold);
  pdf.addPage();
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  addText(pdf, root, 'P', job.carrier);
  addText(pdf, root, 'H1', job.heading);
  addBlocks(pdf, root, job.blocks);
  addText(pdf, root, 'H2', job.check.heading);
  addText(pdf, root, 'P', job.check.text);
  root.end();
  addFiles(pdf, job);
  addFeet(pdf, job.foot);
  pdf.end();
  return done;
};
