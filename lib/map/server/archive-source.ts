import 'server-only';
import { open } from 'node:fs/promises';
import type { RangeResponse, Source } from 'pmtiles';

const TIMEOUT_MS = 15_000;
/** More than any part of an archive that one read needs; a host that ignores the range sends all of it. */
const MAX_RANGE_BYTES = 64 * 2 ** 20;

/** The archive's place cannot be read. The message names no credentials. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

/** Another version of the archive is there now: what was read of the last one is void. */
export class ArchiveChangedError extends Error {
  override name = 'ArchiveChangedError';
}

const isUrl = (place: string): boolean => /^https?:\/\//.test(place);

/** The place of an archive for logs: a URL without user, password and query, which may be secret. */
export const toArchiveName = (place: string): string => {
  if (!isUrl(place)) return place;
  const { origin, pathname } = new URL(place);
  return `${origin}${pathname}`;
};

const requireSame = (etag: string | undefined, wanted: string | undefined): void => {
  if (wanted !== undefined && etag !== wanted) throw new ArchiveChangedError('The archive has changed.');
};

/** Opens the file for each read, so that one that is renamed over it is read from then on. */
const readFileRange = async (path: string, offset: number, length: number): Promise<RangeResponse> => {
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    throw new ArchiveError(cause.code === 'ENOENT' ? 'There is no such file.' : cause.message, { cause });
  });
  try {
    const { ino, size, mtimeMs, isFile } = await file
      .stat()
      .then((stats) => ({ ...stats, isFile: stats.isFile() }));
    if (!isFile) throw new ArchiveError('It is not a file.');
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
    return { data: bytes.buffer.slice(0, bytesRead), etag: `${ino}-${size}-${mtimeMs}` };
  } finally {
    await file.close();
  }
};

const createReadUrlRange = (place: string, send: typeof fetch) => {
  const url = new URL(place);
  const { username, password } = url;
  [url.username, url.password] = ['', ''];
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username === '' ? null : `Basic ${Buffer.from(user).toString('base64')}`;
  return async (offset: number, length: number): Promise<RangeResponse> => {
    const headers = new Headers({ range: `bytes=${offset}-${offset + length - 1}` });
    if (authorization !== null) headers.set('authorization', authorization);
    const response = await send(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause) => {
      throw new ArchiveError(`${url.host} does not answer.`, { cause });
    });
    if (response.status !== 206) {
      await response.body?.cancel();
      const isWhole = response.status === 200;
      throw new ArchiveError(
        isWhole ? `${url.host} does not support range requests.` : `${url.host} answered ${response.status}.`,
      );
    }
    const data = await response.arrayBuffer().catch((cause) => {
      throw new ArchiveError(`The answer of ${url.host} broke off.`, { cause });
    });
    return { data, etag: response.headers.get('etag') ?? response.headers.get('last-modified') ?? undefined };
  };
};

/**
 * An archive at a path or an http(s) URL, for the reader of pmtiles; each read rejects with an ArchiveError, or an
 * ArchiveChangedError, so that parts of two versions are never mixed.
 */
export const createArchiveSource = (place: string, send: typeof fetch = fetch): Source => {
  const read = isUrl(place)
    ? createReadUrlRange(place, send)
    : (offset: number, length: number) => readFileRange(place, offset, length);
  return {
    getKey: () => 'archive',
    getBytes: async (offset, length, _signal, wanted) => {
      if (!(length <= MAX_RANGE_BYTES)) throw new ArchiveError('The archive is damaged: a part is too long.');
      const part = await read(offset, length);
      requireSame(part.etag, wanted);
      return part;
    },
  };
};
