import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** One version of an answer: its bytes in every encoding, made when first asked for and then kept. */
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

/** An answer whose tag is the hash of its bytes, so that it outlives a restart of the service. */
export const createRepresentation = (text: string, contentType = 'application/json'): Representation => {
  const bytes = Buffer.from(text);
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, TAG_LENGTH);
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
