import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { Env } from '@/lib/config/env';
import { AppError } from '@/lib/base/http/problems';
import type { MapState, MapTiles } from '@/lib/map/schema';
import type { Log } from '@/lib/base/log';
import { parseCredit } from './credit';
import { createArchiveSource, toArchiveName } from './archive-source';
import { StreetArchive, type StreetTile } from './street-archive';

/** How long a result holds: a host that failed is tried again soon. */
const REACHED_FOR_MS = 10 * 60_000;
const FAILED_FOR_MS = 60_000;
const TIMEOUT_MS = 4000;

interface TileHostOptions {
  /** The template of a tile's URL. */
  url: string;
  clock: Clock;
  fetch?: typeof fetch;
}

const loadTile = async ({ url, fetch: send = fetch }: TileHostOptions): Promise<boolean> => {
  try {
    const response = await send(url.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0'), {
      // The usage policy of OpenStreetMap requires a name that identifies the application.
      headers: { 'user-agent': 'Linehaul (self-hosted fleet map)' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok && (response.headers.get('content-type') ?? '').startsWith('image/');
  } catch (error) {
    // A network without a way out is an ordinary place to run; the page shows the notice.
    if (error instanceof Error) return false;
    throw error;
  }
};

/** Whether a tile of a host can be loaded, checked when the last result has expired; concurrent calls share a check. */
export const createTileHostCheck = (options: TileHostOptions): (() => Promise<boolean>) => {
  let last: { result: Promise<boolean>; untilMs: number } | null = null;
  return () => {
    const nowMs = options.clock.monotonicMs();
    if (last && nowMs < last.untilMs) return last.result;
    const check = { result: loadTile(options), untilMs: nowMs + FAILED_FOR_MS };
    last = check;
    void check.result.then((isReached) => {
      if (isReached) check.untilMs = nowMs + REACHED_FOR_MS;
    });
    return check.result;
  };
};

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
    tiles: archive
      ? { kind: 'streets' }
      : tiles && { kind: 'raster', ...tiles, attribution: parseCredit(tiles.attribution) },
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
