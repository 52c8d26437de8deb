import type { Tile } from './tile';
import type { Palette } from '../palette';

/** The parts of the base map, each a file: what is drawn at every zoom, and what joins it nearby. */
export type MapPart = 'overview' | 'detail';

/** A tile to paint, `side` device pixels wide and high. */
export interface PaintJob {
  tile: Tile;
  side: number;
  palette: Palette;
}

/** What the page says to the painter's thread. A file is handed over as its bytes. */
export type ToPainter =
  { kind: 'take'; part: MapPart; file: ArrayBuffer } | { kind: 'paint'; id: number; job: PaintJob };

/** What it answers. */
export type FromPainter =
  { kind: 'taken'; part: MapPart } | { kind: 'painted'; id: number; bitmap: ImageBitmap };
