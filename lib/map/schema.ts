import { flag, list, nullable, number, object, text, type ShapeOf } from '@/lib/base/shape';

const creditPieceSchema = object({ text, href: nullable(text) });
/** A piece of a credit line: plain words, or a link. */
export type CreditPiece = ShapeOf<typeof creditPieceSchema>;

/** Raster tiles over the embedded base map, as a page receives them. */
export interface RasterTiles {
  kind: 'raster';
  url: string;
  /** The credit that their makers require. */
  attribution: readonly CreditPiece[];
  /** They were not chosen but are the default, so a page requests none unless the server can reach them too. */
  isDefault: boolean;
}

/** What is drawn over the embedded base map: raster tiles, or the street map of an archive that the server reads. */
export type MapTiles = RasterTiles | { kind: 'streets' };

const streetMapSchema = object({
  minZoom: number,
  maxZoom: number,
  /** The credit that the makers of the archive require. */
  attribution: list(creditPieceSchema),
});
export type StreetMap = ShapeOf<typeof streetMapSchema>;

/** GET /api/map: which sources of the map work now. */
export const mapStateSchema = object({
  /** Whether the server can load the default raster tiles; false also where others are set. */
  areDefaultTilesReachable: flag,
  /** The street map; null without one, or while its archive cannot be read. */
  streets: nullable(streetMapSchema),
});
export type MapState = ShapeOf<typeof mapStateSchema>;
