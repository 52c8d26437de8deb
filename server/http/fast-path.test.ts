import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import { createFastPath, type FastRoutes } from './fast-path';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

type FastRoute = FastRoutes['live'];

const setUp = async (live: FastRoute, others: Partial<FastRoutes> = {}) => {
  const lines: string[] = [];
  const log = createLog(createSecretRedactor(), 'debug', { write: (line) => void lines.push(line) });
  const answerLive = createFastPath(
    { live, past: live, share: live, calendar: live, endMails: live, ...others },
    log,
  );
  const server = createServer((request, response) => {
    if (!answerLive(request, response)) response.end('Next.js');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lines };
};

const echoRequest: FastRoute = async (request, { params }) =>
  Response.json({
    ...((await params) as object),
    since: new URL(request.url).searchParams.get('since'),
    screen: request.headers.get('x-screen'),
  });

describe('createFastPath', () => {
  it('answers the live route with its handler', async () => {
    const { url } = await setUp(echoRequest);
    const response = await fetch(`${url}/api/fleets/9000001/live?since=v%3A1`, {
      headers: { 'x-screen': 'wall' },
    });
    expect(await response.json()).toEqual({ usdot: '9000001', since: 'v:1', screen: 'wall' });
  });

  it('answers the past with its handler', async () => {
    const { url } = await setUp(async () => new Response('live'), { past: echoRequest });
    const response = await fetch(`${url}/api/fleets/9000001/past?at=1&since=v1`);
    expect(await response.json()).toMatchObject({ usdot: '9000001', since: 'v1' });
  });

  it('answers all below /t as a token, also a request of the head alone', async () => {
    const { url } = await setUp(async () => new Response('live'), { share: echoRequest });
    for (const token of ['abc', 'a%20b', 'a/b/', ''])
      expect(await (await fetch(`${url}/t/${token}?since=1`)).json()).toMatchObject({ token, since: '1' });
    const head = await fetch(`${url}/t/abc`, { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['42', '']);
    expect(await (await fetch(`${url}/t/abc`, { method: 'POST' })).text()).toBe('Next.js');
    expect(await (await fetch(`${url}/t`)).text()).toBe('Next.js');
  });

  it('answers all below /u, also what mail programs send there', async () => {
    const { url } = await setUp(async () => new Response('live'), { endMails: echoRequest });
    for (const method of ['GET', 'POST'])
      expect(await (await fetch(`${url}/u/1.abc`, { method })).json()).toMatchObject({ token: '1.abc' });
  });

  it('leaves every other address, spelling and method to Next.js', async () => {
    const { url } = await setUp(echoRequest);
    const ask = async (path: string, method = 'GET') => (await fetch(`${url}${path}`, { method })).text();
    for (const path of [
      '/',
      '/api/fleets/9000001',
      '/api/fleets/9000001/live/',
      '/api/fleets/9000001/live/vin:1',
      '/api/fleets/9000001/lively',
      '/api/fleets/9000001/past/hours',
      '/api/fleets/%39000001/live',
      '/api/fleets/123456789/live',
      '/api/fleets/x/live',
      '/x/api/fleets/9000001/live',
    ])
      expect(await ask(path), path).toBe('Next.js');
    expect(await ask('/api/fleets/9000001/live', 'POST')).toBe('Next.js');
  });

  it('sends status, bytes and headers as the route returned them', async () => {
    const bytes = new Uint8Array([0, 255, 13, 10]);
    const { url } = await setUp(async () =>
      Promise.resolve(
        new Response(bytes, {
          status: 203,
          headers: [
            ['etag', 'W/"v1"'],
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
          ],
        }),
      ),
    );
    const response = await fetch(`${url}/api/fleets/1/live`);
    expect(response.status).toBe(203);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: 'W/"v1"',
      'content-length': '4',
    });
  });

  it('sends a 304 without a body', async () => {
    const { url } = await setUp(async () => Promise.resolve(new Response(null, { status: 304 })));
    const response = await fetch(`${url}/api/fleets/1/live`);
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(response.headers.get('content-length')).toBeNull();
  });

  it('breaks off and logs an answer that cannot be sent, and continues', async () => {
    let asked = 0;
    const { url, lines } = await setUp(async () =>
      (asked += 1) === 1 ? Promise.reject(new Error('planted')) : Promise.resolve(new Response('well')),
    );
    await expect(fetch(`${url}/api/fleets/1/live`)).rejects.toThrow();
    expect(lines.join('')).toContain('planted');
    expect(await (await fetch(`${url}/api/fleets/1/live`)).text()).toBe('well');
  });
});
