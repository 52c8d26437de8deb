import 'server-only';
import { parseCredit } from './credit';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { Compression, PMTiles, SharedPromiseCache, TileType, type Source } from 'pmtiles';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import type { StreetMap } from '@/lib/map/schema';
import type { Log } from '@/lib/base/log';
import { ArchiveChangedError, ArchiveError } from './archive-source';

/** Tiles are kept compressed: a city's at all zooms are about 10 MB. */
const CACHE_BYTES = 48 * 2 ** 20;
/** The archive that cannot be read is tried again this often, so that a dead host does not get a request for every tile. */
const RETRY_MS = 10_000;
/** Directories in memory; one of the United States has about 3,000 of 16 KB. */
const CACHED_DIRECTORIES = 500;

/** A tile as it travels: gzip, and a hash of it. */
export interface StreetTile {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
}

interface OpenArchive {
  tiles: PMTiles;
  map: StreetMap;
  etag: string | undefined;
}

const inflate = promisify(gunzip);
const inflateBrotli = promisify(brotliDecompress);
const deflate = promisify(gzip);

/** A tile as gzip, whatever the archive's compression; inflating it proves that it is whole. */
const toGzip = async (data: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> => {
  const bytes = new Uint8Array(data);
  const toBuffer = (buffer: Uint8Array): ArrayBuffer => new Uint8Array(buffer).buffer;
  if (compression === Compression.Gzip) {
    await inflate(bytes);
    return data;
  }
  if (compression === Compression.Brotli) return toBuffer(await deflate(await inflateBrotli(bytes)));
  if (compression === Compression.Zstd) throw new ArchiveError('Its tiles are compressed by zstd.');
  return toBuffer(await deflate(bytes));
};

const toAttribution = (metadata: unknown): string => {
  const { attribution } = (metadata ?? {}) as { attribution?: unknown };
  return typeof attribution === 'string' ? attribution : '';
};

const openArchive = async (source: Source): Promise<OpenArchive> => {
  const cache = new SharedPromiseCache(CACHED_DIRECTORIES);
  const header = await cache.getHeader(source);
  if (header.tileType !== TileType.Mvt) throw new ArchiveError('It holds no vector tiles.');
  const metadata = await new PMTiles(source, cache).getMetadata();
  const { minZoom, maxZoom } = header;
  return {
    tiles: new PMTiles(source, cache, toGzip),
    map: { minZoom, maxZoom, attribution: parseCredit(toAttribution(metadata)) },
    etag: header.etag,
  };
};

interface ArchiveOptions {
  source: Source;
  /** The archive's place without secrets. */
  name: string;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

/** The street map's archive: read by ranges, its tiles cached. One that cannot be read is tried again later. */
export class StreetArchive {
  #options: ArchiveOptions;
  #opened: Promise<OpenArchive> | null = null;
  #retryAtMs = -Infinity;
  #isReported = false;
  #tiles: LRUCache<string, { tile: StreetTile | null; version: OpenArchive }>;

  constructor(options: ArchiveOptions) {
    this.#options = options;
    this.#tiles = new LRUCache({
      maxSize: CACHE_BYTES,
      sizeCalculation: ({ tile }) => 200 + (tile?.bytes.length ?? 0),
    });
  }

  /** What the archive covers; null while it cannot be read. */
  async readMap(): Promise<StreetMap | null> {
    try {
      return await this.#use(async ({ map, etag }) => {
        // It may have been removed since it was opened.
        await this.#options.source.getBytes(0, 1, undefined, etag);
        return map;
      });
    } catch (error) {
      this.#drop(error);
      return null;
    }
  }

  /** A tile; null where the archive has none. @throws AppError 'street-map-unavailable', 'street-tile-damaged' */
  async readTile(z: number, x: number, y: number): Promise<StreetTile | null> {
    const key = `${z}/${x}/${y}`;
    try {
      const found = await this.#use(async (archive) => {
        const held = this.#tiles.get(key);
        if (held?.version === archive) return held;
        const read = await archive.tiles.getZxy(z, x, y);
        const entry = { tile: read ? toTile(new Uint8Array(read.data)) : null, version: archive };
        this.#tiles.set(key, entry);
        return entry;
      });
      if (found) return found.tile;
    } catch (cause) {
      if (cause instanceof ArchiveError) this.#drop(cause);
      const isAway = cause instanceof ArchiveError || cause instanceof ArchiveChangedError;
      // Otherwise a part of it is damaged, and the rest can be read.
      throw new AppError(isAway ? 'street-map-unavailable' : 'street-tile-damaged', {
        message: `The tile ${key} of the street map cannot be read: ${String(cause)}`,
      });
    }
    throw new AppError('street-map-unavailable');
  }

  /** Reads of the archive, and once more if it was replaced meanwhile; null while it cannot be opened. */
  async #use<T>(read: (archive: OpenArchive) => Promise<T>): Promise<T | null> {
    const archive = await this.#open();
    if (!archive) return null;
    try {
      return await read(archive);
    } catch (error) {
      if (!(error instanceof ArchiveChangedError)) throw error;
      if ((await this.#opened) === archive) this.#opened = null;
      const newer = await this.#open();
      return newer && (await read(newer));
    }
  }

  async #open(): Promise<OpenArchive | null> {
    const { source, clock, log, name } = this.#options;
    if (!this.#opened && clock.monotonicMs() < this.#retryAtMs) return null;
    const opened = (this.#opened ??= openArchive(source));
    try {
      const archive = await opened;
      if (this.#isReported) log.warn({ archive: name }, 'The street map can be read again.');
      this.#isReported = false;
      return archive;
    } catch (error) {
      this.#drop(error);
      return null;
    }
  }

  #drop(error: unknown): void {
    const { clock, log, name } = this.#options;
    this.#opened = null;
    this.#retryAtMs = clock.monotonicMs() + RETRY_MS;
    if (!this.#isReported)
      log.warn({ archive: name, reason: String(error) }, 'The street map cannot be read.');
    this.#isReported = true;
  }
}

const toTile = (bytes: Uint8Array<ArrayBuffer>): StreetTile => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
});
