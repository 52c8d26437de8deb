import 'server-only';
import type { Feed } from '@/lib/live/feeds';
import { BUILD_HEADER } from '@/lib/wire/build';
import { LIVE_TYPE } from '@/lib/wire/live-bytes';
import { readBuildId } from './build-id';
import { chooseEncoding } from './choose-encoding';
import { keepEncoding } from './keep-encoding';

/** What a browser holds is told apart by version alone, whatever it was compressed with: hence a weak ETag. */
const toEtag = (version: string): string => `W/"${version}"`;

const isHeld = (header: string | null, version: string): boolean =>
  (header ?? '').split(',').some((etag) => etag.trim().replace(/^W\//, '') === `"${version}"`);

/** What becomes a response; plain, for it costs a server less than a Response with its stream does. */
export interface LiveAnswer {
  status: 200 | 304;
  headers: Headers;
  body: Uint8Array | null;
}

/** A feed's answer, whose bytes were made once for everybody who holds that version. */
export const toLiveAnswer = async (
  feed: Pick<Feed, 'answer'>,
  since: string | null,
  asked: Headers,
  build: string | null = readBuildId(),
): Promise<LiveAnswer> => {
  const answer = await feed.answer(since, chooseEncoding(asked.get('accept-encoding')));
  const headers = new Headers({
    etag: toEtag(answer.version),
    'cache-control': 'no-store',
    vary: 'Accept-Encoding',
    ...(build === null ? {} : { [BUILD_HEADER]: build }),
  });
  if (answer.status === 304 || isHeld(asked.get('if-none-match'), answer.version))
    return { status: 304, headers, body: null };
  headers.set('content-type', LIVE_TYPE);
  if (answer.encoding !== null) headers.set('content-encoding', answer.encoding);
  return { status: 200, headers, body: answer.body };
};

/** The same for a route handler of Next.js. */
export const toLiveResponse = ({ status, headers, body }: LiveAnswer): Response =>
  keepEncoding(new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers }));
