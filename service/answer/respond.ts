import { ENCODINGS } from './representation';
import type { Representation, Encoding } from './representation';

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

/** The weight that each coding of an Accept-Encoding header is given (RFC 9110, section 12.5.3). */
const parseWeights = (header: string): Map<string, number> => {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (coding !== '') weights.set(coding, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
};

/**
 * The encoding of the response: of those that the client prefers, the smallest. Without the header, or
 * where no offered encoding is accepted, the bytes are sent uncompressed.
 */
export const chooseEncoding = (header: string | null): Encoding => {
  if (header === null) return 'identity';
  const weights = parseWeights(header);
  // Uncompressed is always acceptable unless it is refused by name, and never preferred over a requested encoding.
  const weigh = (encoding: Encoding): number =>
    weights.get(encoding) ?? (encoding === 'identity' ? Number.MIN_VALUE : (weights.get('*') ?? 0));
  const best = ENCODINGS.reduce((held, encoding) => (weigh(encoding) > weigh(held) ? encoding : held));
  return weigh(best) > 0 ? best : 'identity';
};

const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/** Whether an If-None-Match header names the entity tag, by weak comparison (RFC 9110, section 13.1.2). */
export const isNoneMatchFailed = (header: string | null, etag: string): boolean => {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  for (const [, tag] of header.matchAll(ENTITY_TAG)) if (tag === etag) return true;
  return false;
};
