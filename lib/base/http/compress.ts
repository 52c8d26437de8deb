import 'server-only';
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

/** Bytes as sent, and their Content-Encoding; null for none. Runs off the main thread. */
export interface Encoded {
  body: Uint8Array;
  encoding: 'br' | 'gzip' | null;
}

export const compress = async (bytes: Uint8Array, encoding: Encoding): Promise<Encoded> => {
  if (encoding === 'identity' || bytes.length < LEAST_BYTES) return { body: bytes, encoding: null };
  if (encoding === 'gzip') return { body: await gzipAsync(bytes, { level: GZIP_LEVEL }), encoding };
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_GENERIC,
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return { body: await brotliAsync(bytes, { params }), encoding };
};
