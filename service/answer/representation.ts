import type { Encoding } from '@/lib/base/http/negotiation';
import { createHash, type Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** One version of a response body: its bytes in each encoding, compressed on first use and then kept. */
export interface Representation {
  contentType: string;
  /** Strong entity tag of the bytes in an encoding, with its quotes. */
  toEtag(encoding: Encoding): string;
  read(encoding: Encoding): Promise<Uint8Array<ArrayBuffer>>;
  /** The bytes before any compression. */
  byteLength: number;
}

/** High enough for a fleet of repeated field names, low enough to take less time than it saves. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;
/** 132 bits of a SHA-256, in base64url. */
const TAG_LENGTH = 22;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const compress = async (bytes: Uint8Array, encoding: 'br' | 'gzip'): Promise<Uint8Array<ArrayBuffer>> =>
  encoding === 'br'
    ? compressBrotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
        },
      })
    : compressGzip(bytes, { level: GZIP_LEVEL });

const toRepresentation = (
  bytes: Buffer<ArrayBuffer>,
  sha256: Hash,
  contentType = 'application/json',
): Representation => {
  const tag = sha256.digest('base64url').slice(0, TAG_LENGTH);
  const made = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>([['identity', Promise.resolve(bytes)]]);
  return {
    contentType,
    byteLength: bytes.byteLength,
    toEtag: (encoding) => (encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`),
    read(encoding) {
      let reading = made.get(encoding);
      if (reading === undefined) {
        reading = compress(bytes, encoding as 'br' | 'gzip');
        made.set(encoding, reading);
      }
      return reading;
    },
  };
};

/** The tag is the hash of the bytes, so that it stays valid after a restart of the service. */
export const createRepresentation = (text: string, contentType?: string): Representation => {
  const bytes = Buffer.from(text);
  return toRepresentation(bytes, createHash('sha256').update(bytes), contentType);
};

/** The same for a large JSON text in parts; other requests get a turn between two parts. */
export const createLargeRepresentation = async (parts: Iterable<string>): Promise<Representation> => {
  const sha256 = createHash('sha256');
  const chunks: Buffer[] = [];
  for (const part of parts) {
    const chunk = Buffer.from(part);
    sha256.update(chunk);
    chunks.push(chunk);
    await nextTurn();
  }
  return toRepresentation(Buffer.concat(chunks), sha256);
};
