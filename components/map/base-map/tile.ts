/** One square of the base map: its column and row at a zoom, and its side in pixels. */
export interface Tile {
  column: number;
  row: number;
  zoom: number;
  sizePx: number;
}
