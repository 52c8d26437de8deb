import {
  FLAGGED_RANK,
  HIDDEN,
  MAX_GLYPHS,
  SELECTED_RANK,
  createGlyphs,
  type Glyphs,
  type PlottedUnits,
  type View,
} from './glyphs';

/** Two glyphs nearer than this, sideways and up, are drawn as one: first when neither is drawn yet, then when both are. */
const APART = { x: 19, y: 18 };
const APART_KEPT = { x: 15, y: 15 };
/** The same where one carries a count, which is wider and must stay readable. */
const APART_COUNTED = { x: 33, y: 22 };
const APART_COUNTED_KEPT = { x: 29, y: 17 };
/** A drawn unit keeps its cell until it is this far outside, in cells. */
const KEEP_CELL = 0.25;
/** Side of a cell while every unit could have a glyph, CSS pixels. */
const CELL_PX = 24;
/** Margin around the view in which units are included, so that nothing changes at its edge, in cells. */
const MARGIN_CELLS = 1;

const RANKS = SELECTED_RANK + 1;

/** Cells over a view, counted from the world's corner. */
interface Grid {
  cellPx: number;
  firstColumn: number;
  firstRow: number;
  columns: number;
  rows: number;
}

/**
 * Draws many units as few glyphs, on a grid that is fixed to the world, so that panning changes nothing.
 *
 * Of each cell the most important unit is drawn, and one that was drawn before goes first among equals;
 * then a glyph that would touch a more important one joins it. It keeps only the rows that it drew and their positions.
 */
export class Declutter {
  readonly glyphs = createGlyphs();
  #drawn = new Uint8Array(0);
  /** The cell of a drawn row, kept while it is only a little outside. */
  #homeColumn = new Int32Array(0);
  #homeRow = new Int32Array(0);
  #homeKey = '';
  /** Cell of each row within the region, −1 outside it. */
  #cellOfRow = new Int32Array(0);
  #best = new Int32Array(0);
  #units = new Int32Array(0);
  #inView = new Int32Array(0);
  #anyFlagged = new Uint8Array(0);
  #glyphOfCell = new Int32Array(0);
  #order: number[][] = Array.from({ length: 2 * RANKS }, () => []);

  /** Drops what was drawn, because the rows now belong to other units. */
  reset(): void {
    this.#drawn.fill(0);
    this.glyphs.count = 0;
  }

  run(units: PlottedUnits, view: View): Glyphs {
    this.#reserve(units.rows);
    const grid = toGrid(view, units.plotted);
    const cells = grid.columns * grid.rows;
    if (this.#best.length < cells) this.#allocateCells(cells);
    const key = `${grid.cellPx}/${view.worldSizePx}`;
    this.#electCells(units, view, grid, key === this.#homeKey);
    this.#homeKey = key;
    this.#joinGlyphs(units, view, grid);
    this.#remember(grid);
    return this.glyphs;
  }

  /** The glyph of the last run that represents a row, −1 for none. */
  glyphOf(row: number): number {
    const cell = this.#cellOfRow[row] ?? -1;
    return cell < 0 ? -1 : this.#glyphOfCell[cell]!;
  }

  /** The rows that a glyph of the last run represents, its own first. */
  members(glyph: number): number[] {
    const drawn = this.glyphs.row[glyph]!;
    const members = [drawn];
    for (let row = 0; row < this.#cellOfRow.length; row++) {
      if (row !== drawn && this.glyphOf(row) === glyph) members.push(row);
    }
    return members;
  }

  #reserve(rows: number): void {
    if (rows <= this.#drawn.length) return;
    const room = Math.ceil(rows * 1.25);
    const drawn = new Uint8Array(room);
    drawn.set(this.#drawn);
    this.#drawn = drawn;
    const [column, row] = [new Int32Array(room), new Int32Array(room)];
    column.set(this.#homeColumn);
    row.set(this.#homeRow);
    [this.#homeColumn, this.#homeRow] = [column, row];
    this.#cellOfRow = new Int32Array(room).fill(-1);
  }

  #allocateCells(cells: number): void {
    this.#best = new Int32Array(cells);
    this.#units = new Int32Array(cells);
    this.#inView = new Int32Array(cells);
    this.#anyFlagged = new Uint8Array(cells);
    this.#glyphOfCell = new Int32Array(cells);
  }

  /** Puts every unit near the view into a cell, and finds the one that each cell would draw. */
  #electCells({ rows, x, y, rank }: PlottedUnits, view: View, grid: Grid, sameGrid: boolean): void {
    // The one loop over the whole fleet in every frame: plain locals and no tuples, for speed.
    const cellOfRow = this.#cellOfRow;
    const drawn = this.#drawn;
    const best = this.#best.fill(-1);
    const units = this.#units.fill(0);
    const inView = this.#inView.fill(0);
    const anyFlagged = this.#anyFlagged.fill(0);
    const { columns, rows: lines } = grid;
    const perCell = view.worldSizePx / grid.cellPx;
    const left = view.left / grid.cellPx;
    const top = view.top / grid.cellPx;
    const right = left + view.width / grid.cellPx;
    const bottom = top + view.height / grid.cellPx;
    cellOfRow.fill(-1);
    for (let row = 0; row < rows; row++) {
      const wants = rank[row]!;
      if (wants === HIDDEN) continue;
      const atX = x[row]! * perCell;
      const atY = y[row]! * perCell;
      const column = Math.floor(atX) - grid.firstColumn;
      const line = Math.floor(atY) - grid.firstRow;
      // Written so that NaN, a row without a position, fails it too.
      if (!(column >= 0 && column < columns && line >= 0 && line < lines)) continue;
      let cell = line * columns + column;
      if (drawn[row] === 1 && sameGrid) cell = this.#homeCell(row, atX, atY, grid, cell);
      cellOfRow[row] = cell;
      units[cell]!++;
      if (atX >= left && atY >= top && atX < right && atY < bottom) inView[cell]!++;
      if (wants === FLAGGED_RANK) anyFlagged[cell] = 1;
      const held = best[cell]!;
      if (held < 0 || 2 * wants + drawn[row]! > 2 * rank[held]! + drawn[held]!) best[cell] = row;
    }
  }

  /** The cell of a drawn row: the one it was drawn in, unless it has moved too far from it. */
  #homeCell(row: number, atX: number, atY: number, grid: Grid, cell: number): number {
    const homeColumn = this.#homeColumn[row]!;
    const homeRow = this.#homeRow[row]!;
    if (
      Math.abs(atX - homeColumn - 0.5) > 0.5 + KEEP_CELL ||
      Math.abs(atY - homeRow - 0.5) > 0.5 + KEEP_CELL
    ) {
      return cell;
    }
    const column = homeColumn - grid.firstColumn;
    const line = homeRow - grid.firstRow;
    const isOnGrid = column >= 0 && column < grid.columns && line >= 0 && line < grid.rows;
    return isOnGrid ? line * grid.columns + column : cell;
  }

  #score(rank: number, row: number): number {
    return 2 * rank + this.#drawn[row]!;
  }

  /** Draws the elected, important ones first; one that would touch a glyph joins it instead. */
  #joinGlyphs(units: PlottedUnits, view: View, grid: Grid): void {
    const { glyphs } = this;
    for (const cells of this.#order) cells.length = 0;
    for (let cell = 0; cell < grid.columns * grid.rows; cell++) {
      this.#glyphOfCell[cell] = -1;
      const row = this.#best[cell]!;
      if (row >= 0) this.#order[this.#score(units.rank[row]!, row)]!.push(cell);
    }
    glyphs.count = 0;
    glyphs.unitsInView = 0;
    for (let score = this.#order.length - 1; score >= 0; score--) {
      for (const cell of this.#order[score]!) {
        const row = this.#best[cell]!;
        const px = units.x[row]! * view.worldSizePx - view.left;
        const py = units.y[row]! * view.worldSizePx - view.top;
        const near = this.#findTouching(cell, row, px, py, grid);
        const glyph = near >= 0 ? near : this.#addGlyph(row, px, py);
        this.#glyphOfCell[cell] = glyph;
        glyphs.stands[glyph]! += this.#units[cell]!;
        glyphs.flagged[glyph]! |= this.#anyFlagged[cell]!;
        glyphs.unitsInView += this.#inView[cell]!;
      }
    }
  }

  #addGlyph(row: number, px: number, py: number): number {
    const { glyphs } = this;
    const glyph = glyphs.count++;
    glyphs.row[glyph] = row;
    glyphs.x[glyph] = px;
    glyphs.y[glyph] = py;
    glyphs.stands[glyph] = 0;
    glyphs.flagged[glyph] = 0;
    return glyph;
  }

  /** The nearest glyph that a candidate would touch, −1 for none. */
  #findTouching(cell: number, row: number, px: number, py: number, grid: Grid): number {
    const { row: glyphRow, x, y, stands } = this.glyphs;
    const best = this.#best;
    const glyphOfCell = this.#glyphOfCell;
    const drawn = this.#drawn;
    const isDrawn = drawn[row] === 1;
    const standsForMore = this.#units[cell]! > 1;
    const column = cell % grid.columns;
    const line = (cell - column) / grid.columns;
    const reach = Math.ceil(APART_COUNTED.x / grid.cellPx + 2 * KEEP_CELL);
    const firstColumn = Math.max(0, column - reach);
    const lastColumn = Math.min(grid.columns - 1, column + reach);
    const lastLine = Math.min(grid.rows - 1, line + reach);
    let nearest = -1;
    let nearestDistance = Infinity;
    for (let l = Math.max(0, line - reach); l <= lastLine; l++) {
      for (let other = l * grid.columns + firstColumn; other <= l * grid.columns + lastColumn; other++) {
        const glyph = glyphOfCell[other]!;
        if (glyph < 0 || best[other] !== glyphRow[glyph]) continue;
        const dx = Math.abs(px - x[glyph]!);
        const dy = Math.abs(py - y[glyph]!);
        const bothDrawn = isDrawn && drawn[glyphRow[glyph]!] === 1;
        const isCounted = standsForMore || stands[glyph]! > 1;
        const apart = isCounted
          ? bothDrawn
            ? APART_COUNTED_KEPT
            : APART_COUNTED
          : bothDrawn
            ? APART_KEPT
            : APART;
        const distance = dx * dx + dy * dy;
        if (dx >= apart.x || dy >= apart.y || distance >= nearestDistance) continue;
        nearest = glyph;
        nearestDistance = distance;
      }
    }
    return nearest;
  }

  #remember(grid: Grid): void {
    this.#drawn.fill(0);
    const { glyphs } = this;
    for (let glyph = 0; glyph < glyphs.count; glyph++) {
      const row = glyphs.row[glyph]!;
      const cell = this.#cellOfRow[row]!;
      this.#drawn[row] = 1;
      this.#homeColumn[row] = (cell % grid.columns) + grid.firstColumn;
      this.#homeRow[row] = Math.floor(cell / grid.columns) + grid.firstRow;
    }
  }
}

/** A grid over the view whose glyphs cannot be more than MAX_GLYPHS: by the number of units, or else of cells. */
const toGrid = (view: View, plotted: number): Grid => {
  for (let cellPx = CELL_PX; ; cellPx++) {
    // Counted from the size alone, so that panning by a few pixels never changes the grid.
    const columns = Math.ceil(view.width / cellPx) + 1 + 2 * MARGIN_CELLS;
    const rows = Math.ceil(view.height / cellPx) + 1 + 2 * MARGIN_CELLS;
    if (plotted > MAX_GLYPHS && columns * rows > MAX_GLYPHS) continue;
    const firstColumn = Math.floor(view.left / cellPx) - MARGIN_CELLS;
    const firstRow = Math.floor(view.top / cellPx) - MARGIN_CELLS;
    return { cellPx, firstColumn, firstRow, columns, rows };
  }
};
