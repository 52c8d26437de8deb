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

/** A feed's answer, whose bytes were made once for everybody who holds that version. */
export const toLiveResponse = async (
  feed: Pick<Feed, 'answer'>,
  since: string | null,
  headers: Headers,
  build: string | null = readBuildId(),
): Promise<Response> => {
  const answer = await feed.answer(since, chooseEncoding(headers.get('accept-encoding')));
  const answerHeaders = new Headers({
    etag: toEtag(answer.version),
    'cache-control': 'no-store',
    vary: 'Accept-Encoding',
    ...(build === null ? {} : { [BUILD_HEADER]: build }),
  });
  if (answer.status === 304 || isHeld(headers.get('if-none-match'), answer.version)) {
    return new Response(null, { status: 304, headers: answerHeaders });
  }
  answerHeaders.set('content-type', LIVE_TYPE);
  if (answer.encoding !== null) answerHeaders.set('content-encoding', answer.encoding);
  return keepEncoding(
    new Response(answer.body as Uint8Array<ArrayBuffer> | null, { headers: answerHeaders }),
  );
};
