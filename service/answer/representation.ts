import { type Encoding, chooseEncoding, isNoneMatchFailed } from '@/lib/base/http/negotiation';
import { encode } from '@/lib/base/http/compress';
import { createHash, type Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** One version of a response body: its bytes in each encoding, compressed on first use and then kept. */
export interface Representation {
  contentType: string;
  /** Strong entity tag of the bytes in an encoding, with its quotes. */
  toEtag(encoding: Encoding): string;
  read(encoding: Encoding): Promise<Uint8Array<ArrayBuffer>>;
  /** The bytes before any compression. */
  byteLength: number;
}

/** 132 bits of a SHA-256, in base64url. */
const TAG_LENGTH = 22;

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
      const reading = made.get(encoding) ?? encode(bytes, encoding as 'br' | 'gzip');
      made.set(encoding, reading);
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

/** Below this a compressed answer hardly saves a packet. */
const MIN_COMPRESSED_BYTES = 1024;

export interface RespondOptions {
  cacheControl: string;
  /** Request headers, besides Accept-Encoding, by which the answer differs. */
  varyBy: string[];
  headers?: Record<string, string>;
}

/** A cached copy of a carrier's data is revalidated on every use, with the same key. */
export const PRIVATE: RespondOptions = {
  cacheControl: 'private, no-cache',
  varyBy: ['x-api-key', 'provider-token'],
};

export const PUBLIC: RespondOptions = { cacheControl: 'public, no-cache', varyBy: [] };

/** The response for a representation: 304 when the client has it, else its bytes in the encoding the client prefers. */
export const respond = async (
  request: Request,
  representation: Representation,
  { cacheControl, varyBy, headers = {} }: RespondOptions,
): Promise<Response> => {
  const encoding =
    representation.byteLength < MIN_COMPRESSED_BYTES
      ? 'identity'
      : chooseEncoding(request.headers.get('accept-encoding'));
  const etag = representation.toEtag(encoding);
  const common = {
    ...headers,
    etag,
    'cache-control': cacheControl,
    vary: ['accept-encoding', ...varyBy].join(', '),
  };
  if (isNoneMatchFailed(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers: common });
  const body = await representation.read(encoding);
  return new Response(body, {
    headers: {
      ...common,
      'content-type': representation.contentType,
      'content-length': String(body.byteLength),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
  });
};
