import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { Env } from '@/lib/config/env';
import { AppError } from '@/lib/base/http/problems';
import type { MapState, MapTiles } from '@/lib/map/schema';
import type { Log } from '@/lib/base/log';
import { createArchiveSource, toArchiveName } from './archive-source';
import { StreetArchive, type StreetTile } from './street-archive';
import { createTileHostCheck } from './tile-host';

/** What the map of every fleet is drawn from, besides the files of the embedded map. */
export interface MapSources {
  /** For the page; nothing in it is secret. */
  tiles: MapTiles | null;
  readState: () => Promise<MapState>;
  /** A tile of the street map; null where it has none. @throws AppError 'street-map-unavailable', 'street-tile-damaged' */
  readStreetTile: (z: number, x: number, y: number) => Promise<StreetTile | null>;
}

interface MapSourcesOptions {
  env: Pick<Env, 'tiles' | 'streets'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

export const createMapSources = ({ env: { tiles, streets }, clock, log }: MapSourcesOptions): MapSources => {
  const isTileHostReachable = tiles?.isDefault
    ? createTileHostCheck({ url: tiles.url, clock })
    : () => Promise.resolve(false);
  const archive =
    streets === null
      ? null
      : new StreetArchive({
          source: createArchiveSource(streets),
          name: toArchiveName(streets),
          clock,
          log,
        });
  // A wrong path is reported when the server starts, and not when the first map is opened.
  void archive?.readMap();
  return {
    tiles: archive ? { kind: 'streets' } : tiles && { kind: 'raster', ...tiles },
    readState: async () => ({
      areDefaultTilesReachable: await isTileHostReachable(),
      streets: (await archive?.readMap()) ?? null,
    }),
    readStreetTile: (z, x, y) => {
      if (!archive) throw new AppError('street-map-unavailable');
      return archive.readTile(z, x, y);
    },
  };
};

/** Deeper than any archive, and within the tile ids of the format. */
const MAX_ZOOM = 22;

/** The numbers of a tile's address. @throws AppError 'malformed-address' */
export const requireTile = (params: {
  z: string;
  x: string;
  y: string;
}): { z: number; x: number; y: number } => {
  const [z, x, y] = [params.z, params.x, params.y].map((text) =>
    /^\d{1,7}$/.test(text) ? Number(text) : NaN,
  );
  if (z! <= MAX_ZOOM && x! < 2 ** z! && y! < 2 ** z!) return { z: z!, x: x!, y: y! };
  throw new AppError('malformed-address');
};
