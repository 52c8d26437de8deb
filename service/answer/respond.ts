import { chooseEncoding, isNoneMatchFailed } from '@/lib/base/http/negotiation';
import type { Representation } from './representation';

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
