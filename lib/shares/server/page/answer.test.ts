import { brotliDecompressSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { createBasemap } from '@/testing/map/create-basemap';
import { VIEWS, VIEW_NOW } from '@/testing/shares/views';
import type { ShareAnswer } from '../../view';
import { ShareAnswers, type ShareServer } from './answer';

const OPEN: ShareAnswer = { kind: 'open', view: VIEWS.exact, version: 'v1' };
const ADDRESS = '203.0.113.7';

interface Asked {
  token: string;
  isOpening: boolean;
}

let answer: ShareAnswer | Error = OPEN;
let asked: Asked[] = [];
let nowMs = 0;
/** How long the database takes, ms. */
let readMs = 0;
const errors: unknown[] = [];
let answers: ShareAnswers;
const server: ShareServer = {
  shares: {
    read: async (token, { isOpening }) => {
      asked.push({ token, isOpening });
      nowMs += readMs;
      if (answer instanceof Error) throw answer;
      return Promise.resolve(answer);
    },
  },
  clock: {
    nowMs: () => VIEW_NOW,
    monotonicMs: () => nowMs,
    setTimer: (run, delayMs) => {
      nowMs += delayMs;
      queueMicrotask(run);
      return () => undefined;
    },
  },
  log: { error: (...given: unknown[]) => void errors.push(given) },
};

beforeEach(() => {
  [answer, asked, nowMs, readMs] = [OPEN, [], 0, 3];
  errors.length = 0;
  answers = new ShareAnswers(async () =>
    Promise.resolve({ map: createBasemap([], []), findPlace: () => null }),
  );
});

const open = (
  headers: Record<string, string> = {},
  { query = '', method = 'GET', token = 'x'.repeat(27), address = ADDRESS } = {},
): Promise<Response> =>
  answers.answer(
    server,
    { method, url: `http://localhost/t/${token}${query}`, headers: new Headers(headers) },
    { token, address },
  );

/** An answer as it is sent: status, headers and bytes. */
const toSent = async (response: Response): Promise<string> =>
  JSON.stringify([
    response.status,
    [...response.headers],
    Buffer.from(await response.arrayBuffer()).toString('base64'),
  ]);

describe('ShareAnswers', () => {
  it('answers with a page that nothing keeps, that runs its script alone and that no site frames', async () => {
    const response = await open();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'no-store',
      'content-language': 'en-US',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      'content-type': 'text/html; charset=utf-8',
      etag: expect.stringMatching(/^"[\w-]{22}"$/) as string,
      'referrer-policy': 'no-referrer',
      vary: 'Accept-Language, Accept-Encoding',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    });
    expect(await response.text()).toContain('PO 55-210');
  });

  it('is framed by the sites of its link', async () => {
    answer = { ...OPEN, view: { ...VIEWS.exact, frameOrigins: ['https://portal.example'] } };
    const { headers } = await open();
    expect(headers.get('content-security-policy')).toContain('frame-ancestors https://portal.example');
    expect(headers.get('x-frame-options')).toBe('');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('is compressed as the client wants it', async () => {
    const plain = await (await open()).text();
    const packed = await open({ 'accept-encoding': 'gzip, br' });
    expect(packed.headers.get('content-encoding')).toBe('br');
    const bytes = Buffer.from(await packed.arrayBuffer());
    expect(brotliDecompressSync(bytes).toString()).toBe(plain);
    expect(bytes.length).toBeLessThan(10_000);
  });

  it('answers 304 while nothing but ages has changed', async () => {
    const etag = (await open()).headers.get('etag')!;
    answer = { ...OPEN, view: { ...VIEWS.exact, nowMs: VIEW_NOW + 5000 } };
    const same = await open({ 'if-none-match': etag });
    expect([same.status, await same.text(), same.headers.get('cache-control')]).toEqual([
      304,
      '',
      'no-store',
    ]);
    answer = { ...OPEN, view: VIEWS.onTime };
    expect((await open({ 'if-none-match': etag })).status).toBe(200);
    answer = { kind: 'nothing' };
    expect((await open({ 'if-none-match': etag })).status).toBe(404);
    expect((await open({ 'if-none-match': '*' })).status).toBe(404);
  });

  it('takes the language and the zone from the address, and ignores what else is in it', async () => {
    const response = await open(
      { 'accept-language': 'fr-CA' },
      { query: '?lang=es&zone=America/Denver&utm_source=mail&lang=x' },
    );
    expect(response.headers.get('content-language')).toBe('es-CA');
    expect(await response.text()).toContain('13:20');
  });

  it('counts openings, and not what an open page asks for by itself', async () => {
    await open();
    await open({}, { query: '?lang=es' });
    const page = await (await open({}, { query: '?lang=es' })).text();
    const [, again] = /http-equiv="refresh" content="30; url=(\S+?)"/.exec(page)!;
    await open({}, { query: again!.replace('&amp;', '&') });
    await open({ 'if-none-match': '"x"' });
    await open({}, { method: 'HEAD' });
    expect(asked.map(({ isOpening }) => isOpening)).toEqual([true, true, true, false, false, false]);
  });

  it('counts an opening of an address that a page without scripts had, and that was passed on', async () => {
    const [minuteMs, hourMs] = [60_000, 3_600_000];
    for (const agoMs of [20_000, minuteMs, hourMs, -hourMs])
      await open({}, { query: `?lang=es&again=${VIEW_NOW - agoMs}` });
    for (const query of ['?again', '?again=', '?again=x', '?again=Infinity']) await open({}, { query });
    expect(asked.map(({ isOpening }) => isOpening)).toEqual([
      false,
      ...Array.from({ length: 7 }, () => true),
    ]);
  });

  it('answers alike and at a fixed time after the request where nothing is shown', async () => {
    answer = { kind: 'nothing' };
    const sent = new Set<string>();
    for (const ms of [0, 3, 20, 49]) {
      readMs = ms;
      const startedMs = nowMs;
      for (const headers of [{ 'if-none-match': '"x"' }, {}] as Record<string, string>[])
        sent.add(
          await toSent(await open({ ...headers, 'accept-encoding': 'br' }, { token: 'y'.repeat(ms) })),
        );
      expect(nowMs - startedMs).toBe(100);
    }
    expect(sent.size).toBe(1);
    readMs = 60;
    const startedMs = nowMs;
    await open();
    expect(nowMs - startedMs).toBe(100);
  });

  it('says that a link has ended, where that is to be known', async () => {
    answer = { kind: 'ended', carrier: 'Prairie Star Freight', endedMs: VIEW_NOW };
    const response = await open();
    expect([response.status, response.headers.get('etag')]).toEqual([410, null]);
    const text = await response.text();
    expect(text).toContain('This has ended');
    expect(text).not.toMatch(/8841|Acme|Rolla|<script/);
  });

  it('refuses an address and a link that ask too often, in words', async () => {
    for (let i = 0; i < 600; i += 1) await open({}, { method: 'HEAD' });
    const refused = await open({ 'accept-language': 'es' });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await refused.text()).toContain('Demasiadas solicitudes');
    expect(asked).toHaveLength(600);
    expect((await open({}, { address: '203.0.113.8' })).status).toBe(200);
  });

  it('says that it has a fault, without the link in the log', async () => {
    answer = new Error('The database is away.');
    const response = await open();
    expect([response.status, response.headers.get('refresh')]).toEqual([503, '15']);
    expect(await response.text()).toContain('Not available right now');
    expect(JSON.stringify(errors)).not.toContain('xxx');
  });

  it('renders a view once for each kind of reader', async () => {
    let rendered = 0;
    answers = new ShareAnswers(async () => {
      rendered += 1;
      return Promise.resolve({ map: createBasemap([], []), findPlace: () => null });
    });
    for (const language of ['en-US', 'es-US', 'en-US', 'es-US', 'en-US'])
      await open({ 'accept-language': language });
    expect(rendered).toBe(2);
  });
});
