import 'server-only';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { chooseEncoding } from './choose-encoding';
import { keepEncoding } from './keep-encoding';

const compress = promisify(gzip);
/** Below this a packet or two carry the text as it is. */
const MIN_COMPRESSED_CHARACTERS = 4096;

/** An answer that no cache may keep; compressed where it is long, which Next.js does not do for route handlers. */
export const toJsonResponse = async (request: Request, body: unknown): Promise<Response> => {
  const text = JSON.stringify(body);
  const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  if (text.length < MIN_COMPRESSED_CHARACTERS) return new Response(text, { headers });
  headers.set('vary', 'Accept-Encoding');
  if (chooseEncoding(request.headers.get('accept-encoding'), ['gzip']) === 'identity') {
    return new Response(text, { headers });
  }
  headers.set('content-encoding', 'gzip');
  return keepEncoding(new Response(new Uint8Array(await compress(text)), { headers }));
};
