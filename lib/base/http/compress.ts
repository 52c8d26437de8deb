import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './negotiation';

/** Out of 11; higher ones cost many times the time and save a tenth of the bytes. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;
/** Compression gains nothing below the size of one packet. */
const LEAST_BYTES = 1200;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** The bytes in an encoding. Runs off the main thread. */
export const encode = async (
  bytes: Uint8Array,
  encoding: 'br' | 'gzip',
): Promise<Uint8Array<ArrayBuffer>> => {
  if (encoding === 'gzip') return gzipAsync(bytes, { level: GZIP_LEVEL });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliAsync(bytes, { params });
};

/** Bytes as sent, and their Content-Encoding; null for none. */
export interface Encoded {
  body: Uint8Array;
  encoding: 'br' | 'gzip' | null;
}

export const compress = async (bytes: Uint8Array, encoding: Encoding): Promise<Encoded> =>
  encoding === 'identity' || bytes.length < LEAST_BYTES
    ? { body: bytes, encoding: null }
    : { body: await encode(bytes, encoding), encoding };
