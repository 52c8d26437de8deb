import type { Box } from '../box-index';

/** One square of the base map: its column and row at a zoom, and its side in pixels. */
export interface Tile {
  column: number;
  row: number;
  zoom: number;
  sizePx: number;
}

/** The pixels of the whole world at its zoom that a tile shows. */
export const toBox = ({ column, row, sizePx }: Tile): Box => ({
  left: column * sizePx,
  top: row * sizePx,
  right: (column + 1) * sizePx,
  bottom: (row + 1) * sizePx,
});
