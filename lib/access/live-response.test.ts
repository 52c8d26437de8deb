import { describe, expect, it } from 'vitest';
import { toLiveResponse } from './live-response';

const BODY = new TextEncoder().encode('{}');

const createFeed = (version = 'e1.7') => {
  const asked: [string | null, string][] = [];
  return {
    asked,
    answer: async (since: string | null, accept: 'br' | 'gzip' | 'identity') => {
      asked.push([since, accept]);
      const isHeld = since === version;
      const encoding = accept === 'identity' ? null : accept;
      return {
        status: isHeld ? (304 as const) : (200 as const),
        body: isHeld ? null : BODY,
        encoding,
        version,
      };
    },
  };
};

describe('toLiveResponse', () => {
  it('forwards the bytes unchanged, with the headers that a cache and a browser need', async () => {
    const feed = createFeed();
    const answer = await toLiveResponse(feed, 'e1.6', new Headers({ 'accept-encoding': 'gzip' }), null);
    expect(feed.asked).toEqual([['e1.6', 'gzip']]);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toEqual({
      'cache-control': 'private, no-cache',
      'content-encoding': 'gzip',
      'content-type': 'application/vnd.linehaul.live',
      etag: 'W/"e1.7"',
      vary: 'Accept-Encoding',
    });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(BODY);
  });

  it('names the build of the server, also to a browser with the newest version', async () => {
    const { headers } = await toLiveResponse(createFeed(), 'e1.7', new Headers(), 'build-7');
    expect(headers.get('x-linehaul-build')).toBe('build-7');
  });

  it('names no encoding for plain bytes', async () => {
    const answer = await toLiveResponse(createFeed(), null, new Headers(), null);
    expect(answer.headers.has('content-encoding')).toBe(false);
  });

  it('answers 304 without a body to a browser with the newest version, by either header', async () => {
    const ways: [string | null, Record<string, string>][] = [
      ['e1.7', {}],
      [null, { 'if-none-match': 'W/"e1.7"' }],
      [null, { 'if-none-match': '"e1.1", "e1.7"' }],
    ];
    for (const [since, headers] of ways) {
      const answer = await toLiveResponse(createFeed(), since, new Headers(headers), null);
      expect(answer.status).toBe(304);
      expect(answer.body).toBeNull();
      expect(answer.headers.get('etag')).toBe('W/"e1.7"');
    }
  });

  it('sends everything to a browser with another version', async () => {
    const answer = await toLiveResponse(
      createFeed(),
      null,
      new Headers({ 'if-none-match': 'W/"e1.6"' }),
      null,
    );
    expect(answer.status).toBe(200);
  });
});
