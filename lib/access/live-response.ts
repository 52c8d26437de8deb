import 'server-only';
import type { Feed } from '@/lib/feeds/feeds';
import { BUILD_HEADER } from '@/lib/base/http/protocol';
import { LIVE_TYPE } from '@/lib/wire/live-bytes';
import { PRIVATE_ANSWER } from '@/lib/base/http/headers';
import { chooseEncoding, isNoneMatchFailed } from '@/lib/base/http/negotiation';

/** A browser's copy is identified by version only, whatever its compression: hence a weak ETag. */
const toEtag = (version: string): string => `W/"${version}"`;

/** A feed's answer, whose bytes are encoded and compressed once for all browsers with that version. */
export const toLiveResponse = async (
  feed: Pick<Feed, 'answer'>,
  since: string | null,
  requestHeaders: Headers,
  build: string | null,
): Promise<Response> => {
  const answer = await feed.answer(since, chooseEncoding(requestHeaders.get('accept-encoding')));
  const headers = new Headers({
    etag: toEtag(answer.version),
    'cache-control': PRIVATE_ANSWER,
    vary: 'Accept-Encoding',
    ...(build === null ? {} : { [BUILD_HEADER]: build }),
  });
  if (answer.status === 304 || isNoneMatchFailed(requestHeaders.get('if-none-match'), toEtag(answer.version)))
    return new Response(null, { status: 304, headers });
  headers.set('content-type', LIVE_TYPE);
  if (answer.encoding !== null) headers.set('content-encoding', answer.encoding);
  return new Response(answer.body as Uint8Array<ArrayBuffer> | null, { headers });
};
