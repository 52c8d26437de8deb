import { MAX_GLYPHS } from './glyphs';
import type { View } from './glyphs';

/** Side of a cell while every unit could have a glyph, CSS pixels. */
const CELL_PX = 24;
/** Air around the view within which units still take part, so that nothing changes at its edge: cells. */
const MARGIN_CELLS = 1;

/** Cells over a view, counted from the world's corner. */
export interface Grid {
  cellPx: number;
  firstColumn: number;
  firstRow: number;
  columns: number;
  rows: number;
}

/** A grid over the view whose glyphs cannot be more than MAX_GLYPHS: by the number of units, or else of cells. */
export const toGrid = (view: View, plotted: number): Grid => {
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
