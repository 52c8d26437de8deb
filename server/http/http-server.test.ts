import { once } from 'node:events';
import { get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { SERVER_TIMEOUTS } from '@/service/http/http-server';
import { sendRaw } from '@/testing/service/raw-http';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import type { RequestHead } from '@/server/route';
import { type RequestContext, readRequestContext } from '@/server/runtime';
import { createHttpServer, type HttpOptions } from './http-server';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

const nextJs: RequestListener = (request, response) =>
  void response.end(`Next.js ${request.method} ${request.headers.host} ${request.url}`);

interface SetUpOptions extends Partial<HttpOptions> {
  trustedProxies?: number;
  clientRequestsPerS?: number | null;
}

const readAccepted = async ({ headers }: RequestHead) => new Response(headers.get('accept-encoding'));

const setUp = async (options: SetUpOptions = {}) => {
  const { trustedProxies = 0, clientRequestsPerS = null } = options;
  const lines: Record<string, unknown>[] = [];
  const answered: number[] = [];
  const contexts: (RequestContext | null)[] = [];
  const log = createLog(createSecretRedactor(), 'debug', {
    write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const listener = options.next ?? nextJs;
  const server = createHttpServer({
    limits: null,
    env: { trustedProxies, clientRequestsPerS, publicUrl: null, tiles: null },
    log,
    metrics: { noteAnswer: (status) => void answered.push(status) },
    fastRoutes: {
      live: async () => new Response('fast path'),
      past: readAccepted,
      share: async () => new Response('share'),
      calendar: async () => new Response('calendar'),
      endMails: async () => new Response('mails ended'),
    },
    root: null,
    sharedFiles: null,
    readStartAddress: async () => null,
    tracking: (_, response) => void response.end('tracking'),
    nextUpgrade: null,
    checkIntervalMs: 50,
    ...options,
    next: (request, response) => {
      contexts.push(readRequestContext());
      listener(request, response);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = (line: string, fields: string[] = [`Host: 127.0.0.1:${port}`], waitMs?: number) =>
    sendRaw(port, [line, ...fields, 'Connection: close', '', ''].join('\r\n'), waitMs);
  const readLocal = () => contexts.splice(0).map((context) => context?.isLocal);
  return { server, port, url: `http://127.0.0.1:${port}`, send, contexts, readLocal, lines, answered };
};

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': expect.stringContaining('geolocation=()') as string,
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; .*frame-ancestors 'none'$/,
  ) as string,
};
const expectSecure = (headers: Headers, about: string) =>
  expect(Object.fromEntries(headers), about).toMatchObject(SECURITY_HEADERS);

describe('the HTTP server', () => {
  it('answers a malformed request with a clear refusal and the security headers', async () => {
    const { send, port } = await setUp();
    const host = `Host: 127.0.0.1:${port}`;
    const requests: [status: number, line: string, fields?: string[]][] = [
      [405, 'TRACE / HTTP/1.1'],
      [405, 'PROPFIND /api/health HTTP/1.1'],
      [405, 'CONNECT evil.test:443 HTTP/1.1'],
      [400, 'GET * HTTP/1.1'],
      [400, 'GET ftp://evil.test/ HTTP/1.1'],
      [400, 'GET http://a@b/ HTTP/1.1'],
      [400, 'GET / HTTP/1.1', []],
      [400, 'GET / HTTP/1.1', [host, host]],
      [400, 'GET / HTTP/1.1', [host, 'Host: evil.test']],
      ...[
        'a<b',
        '',
        'a b',
        'a/b',
        'a@b',
        'a?b',
        '[::1',
        '%41',
        '127.0.0.1:99999',
        'x:y',
        'a\u0080b',
        'a:1:2',
      ].map((name): [number, string, string[]] => [400, 'GET /sign-in HTTP/1.1', [`Host: ${name}`]]),
      [417, 'GET / HTTP/1.1', [host, 'Expect: nothing']],
      [431, 'GET / HTTP/1.1', [host, `X: ${'x'.repeat(40_000)}`]],
      [400, 'POST / HTTP/1.1', [host, 'Content-Length: 3', 'Transfer-Encoding: chunked']],
      [400, '\x16\x03\x01'],
    ];
    for (const [status, line, fields] of requests) {
      const answer = await send(line, fields);
      const about = `${line} ${String(fields).slice(0, 80)}`;
      expect([answer.status, answer.isClosed], about).toEqual([status, true]);
      expectSecure(answer.headers, about);
      expect(answer.body, about).not.toMatch(/ at |Next\.js/);
      if (status === 405) expect(answer.headers.get('allow')).toContain('GET, HEAD');
    }
  });

  it('serves every name and address as Host, and HTTP/1.0 without one', async () => {
    const { send } = await setUp();
    for (const host of [
      'fleet.example',
      'FLEET:8080',
      '[::1]:3000',
      '127.0.0.1',
      'a_b.local',
      'fleet.example:',
    ])
      expect((await send('GET / HTTP/1.1', [`Host: ${host}`])).status, host).toBe(200);
    expect((await send('GET /api/health HTTP/1.0', [])).status).toBe(200);
  });

  it('treats an absolute target as its path on the host that it names', async () => {
    const { send, readLocal, port } = await setUp();
    const answer = await send('GET http://evil.test/help?a=b HTTP/1.1');
    expect(answer.body).toContain('Next.js GET evil.test /help?a=b');
    expect((await send('GET HTTP://evil.test HTTP/1.1')).body).toContain('Next.js GET evil.test /');
    expect((await send(`GET http://127.0.0.1:${port}/ HTTP/1.1`)).status).toBe(200);
    expect(readLocal()).toEqual([false, false, true]);
  });

  it('lists the supported methods', async () => {
    const { send } = await setUp();
    const answer = await send('OPTIONS * HTTP/1.1');
    expect([answer.status, answer.headers.get('allow')]).toEqual([
      204,
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ]);
  });

  it('answers the start page with the page that it stands for, and with its own where there is none', async () => {
    const { send, contexts } = await setUp({ readStartAddress: async () => '/fleets/123?unit=a' });
    expect((await send('GET / HTTP/1.1')).body).toContain('/fleets/123?unit=a');
    expect(contexts.at(-1)).toMatchObject({ target: '/', shownAddress: '/fleets/123?unit=a' });
    // The router follows redirects, so that it learns the address.
    expect((await send('GET /?_rsc=1 HTTP/1.1', ['Host: a', 'RSC: 1'])).body).toContain('/?_rsc=1');
    const failing = await setUp({ readStartAddress: () => Promise.reject(new Error('no database')) });
    expect((await failing.send('GET / HTTP/1.1')).body).toMatch(/ \/$/);
    expect(failing.lines).toContainEqual(expect.objectContaining({ level: 'error' }));
  });

  it('refuses a malformed forwarded host if a proxy is trusted', async () => {
    const trusting = await setUp({ trustedProxies: 1 });
    const answer = await trusting.send('GET / HTTP/1.1', ['Host: a', 'X-Forwarded-Host: a<b']);
    expect(answer.status).toBe(400);
    expectSecure(answer.headers, 'forwarded host');
    expect(
      (await trusting.send('GET / HTTP/1.1', ['Host: a', 'X-Forwarded-Host: fleet.example'])).status,
    ).toBe(200);
  });

  it('gives the security headers to every answer, and replaces none that the answer has', async () => {
    const { send } = await setUp({
      next: (request, response) => {
        if (request.url === '/api/own') response.setHeader('content-security-policy', 'own');
        if (request.url === '/api/written') response.writeHead(200, { 'content-security-policy': 'own' });
        response.end();
      },
    });
    for (const path of [
      '/',
      '/basemap/x',
      '/places/x',
      '/tracking/docs',
      '/tracking/api/carrier',
      '/icon.svg',
      '/x',
    ])
      expectSecure((await send(`GET ${path} HTTP/1.1`)).headers, path);
    for (const path of ['/api/own', '/api/written'])
      expect((await send(`GET ${path} HTTP/1.1`)).headers.get('content-security-policy'), path).toBe('own');
    for (const path of ['/_next/static/none.js', '/service-worker.js']) {
      const script = (await send(`GET ${path} HTTP/1.1`)).headers;
      expect(Object.fromEntries(script), path).toMatchObject({
        ...SECURITY_HEADERS,
        'content-security-policy': expect.stringMatching(/^default-src 'self'; /) as string,
      });
      expect(script.has('strict-transport-security'), path).toBe(false);
    }
  });

  it('requires browsers to keep to TLS if they used it, and otherwise not', async () => {
    const { send } = await setUp({ trustedProxies: 1 });
    const read = async (proto: string) =>
      (await send('GET / HTTP/1.1', ['Host: a', `X-Forwarded-Proto: ${proto}`])).headers.get(
        'strict-transport-security',
      );
    expect(await read('https')).toBe('max-age=31536000');
    expect([await read('http'), await read('https, http')]).toEqual([null, null]);
  });

  it('limits a client that exceeds its share, whatever it requests', async () => {
    const { send } = await setUp({ clientRequestsPerS: 1 });
    for (let request = 0; request < 10; request++)
      expect((await send('GET /_next/none HTTP/1.1')).status).toBe(200);
    for (const path of ['/_next/none', '/basemap/x', '/', '/api/fleets/1/live', '/tracking/docs']) {
      const { status, headers, body } = await send(`GET ${path} HTTP/1.1`);
      expect([status, headers.get('retry-after')], path).toEqual([429, '1']);
      if (path !== '/_next/none') expectSecure(headers, path);
      const isData = /^\/(api|tracking)/.test(path);
      expect(headers.get('content-type'), path).toBe(
        isData ? 'application/problem+json' : 'text/plain; charset=utf-8',
      );
      expect(body, path).toContain(isData ? '"code":"too-many-requests"' : 'Try again in 1 s.');
    }
    expect((await send('POST /tracking/ingest/osmand HTTP/1.1')).status).toBe(200);
  });

  it('refuses a WebSocket where there is no development server, and ignores every other upgrade', async () => {
    const { send } = await setUp();
    const fields = ['Host: a', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    for (const path of ['/x', '/_next/hmr', 'http://127.0.0.1:9/x']) {
      const answer = await send(`GET ${path} HTTP/1.1`, fields);
      expect([answer.status, answer.isClosed], path).toEqual([400, true]);
      expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
    }
    const other = await send('GET /x HTTP/1.1', ['Host: a', 'Connection: Upgrade', 'Upgrade: h2c']);
    expect(other.body).toContain('Next.js GET');
  });

  it('passes an upgrade to a development server, and ends the connection where that does not answer', async () => {
    const { send } = await setUp({
      nextUpgrade: (request, socket) => {
        if (request.url === '/_next/hmr') socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      },
    });
    const fields = ['Host: a', 'Connection: Upgrade', 'Upgrade: websocket'];
    expect((await send('GET /_next/hmr HTTP/1.1', fields)).status).toBe(101);
    const other = await send('GET /x HTTP/1.1', fields, 8000);
    expect([other.status, other.isClosed]).toEqual([400, true]);
    expectSecure(other.headers, 'upgrade');
    expect(await send('GET http://127.0.0.1:9/x HTTP/1.1', fields)).toMatchObject({
      status: 0,
      isClosed: true,
    });
  }, 15_000);

  it('ends a request that does not arrive in time, with an answer', async () => {
    const { server, port } = await setUp({ next: () => undefined });
    await sendRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 100);
    const { headersTimeout, requestTimeout, keepAliveTimeout } = server;
    expect(SERVER_TIMEOUTS).toMatchObject({ headersTimeout, requestTimeout, keepAliveTimeout });
    Object.assign(server, { headersTimeout: 200, requestTimeout: 300 });
    for (const text of [
      'GET / HTTP/1.1\r\nHost: a\r\n',
      'POST /api/x HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 5\r\n\r\nab',
    ]) {
      const answer = await sendRaw(port, text, 5000);
      expect([answer.status, answer.isClosed]).toEqual([408, true]);
      expectSecure(answer.headers, text);
    }
  });

  it('ends an answer that its client does not read, and none that is read slowly or takes long to make', async () => {
    const [timeout, pieces] = [400, 30];
    const next: RequestListener = (request, response) => {
      if (request.url === '/made-slowly') setTimeout(() => response.end('made'), 1.5 * timeout);
      else
        void pipeline(Readable.from(Array(pieces).fill(Buffer.alloc(1 << 20))), response).catch(
          () => undefined,
        );
    };
    const { port, url, server } = await setUp({ next, timeouts: { unreadTimeout: timeout } });
    const readSlowly = async (): Promise<number> => {
      const [response] = (await once(get(`${url}/large`), 'response')) as [IncomingMessage];
      let bytes = 0;
      for await (const chunk of response) {
        if (bytes >> 22 !== (bytes += (chunk as Buffer).length) >> 22) await sleep(timeout / 4);
      }
      return bytes;
    };
    const isUnreadSent = new Promise<boolean>((resolve) =>
      server.on('request', ({ url: path }, response) => {
        if (path === '/unread') response.once('close', () => resolve(response.writableFinished));
      }),
    );
    const unread = connect(port, '127.0.0.1').on('error', () => undefined);
    unread.write('GET /unread HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    const made = fetch(`${url}/made-slowly`).then((response) => response.text());
    expect(await Promise.all([isUnreadSent, readSlowly(), made])).toEqual([false, pieces << 20, 'made']);
    unread.destroy();
  });

  it('shows the demo to no client of a proxy', async () => {
    const { send, readLocal, port } = await setUp();
    const host = `Host: 127.0.0.1:${port}`;
    await send('GET / HTTP/1.1');
    expect(readLocal()).toEqual([true]);
    await send('GET / HTTP/1.0', [host]);
    const names =
      'Forwarded Via X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Real-IP CF-Connecting-IP CF-Ray True-Client-IP Fastly-Client-IP X-Original-Forwarded-For X-Client-IP X-Cluster-Client-IP Fly-Client-IP X-Azure-ClientIP Akamai-Origin-Hop CloudFront-Viewer-Address';
    for (const name of names.split(' ')) await send('GET / HTTP/1.1', [host, `${name}: 203.0.113.7`]);
    expect(readLocal()).toEqual(Array.from({ length: 18 }, () => false));
  });

  it('gives a request an id, which its answer, its context and its log line carry', async () => {
    const { url, lines, answered, contexts } = await setUp();
    const read = async (id?: string) =>
      (
        await fetch(`${url}/fleets/9000001?q=secret`, { headers: id ? { 'x-request-id': id } : {} })
      ).headers.get('x-request-id');
    const id = await read();
    expect(id).toMatch(UUID);
    expect(contexts).toMatchObject([{ requestId: id, target: '/fleets/9000001?q=secret' }]);
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'debug',
      requestId: id,
      method: 'GET',
      path: '/fleets/9000001',
      status: 200,
      ms: expect.any(Number) as number,
    });
    expect(answered).toEqual([200]);
    for (const own of ['req-2b1f.77:a_b', '7', 'x'.repeat(128), '{"level":"fatal"}', 'Root=1-67/a+b==;!~'])
      expect(await read(own), own).toBe(own);
    for (const other of ['x'.repeat(129), 'has a blank in it', 'caf\u00e9'])
      expect(await read(other), other).toMatch(UUID);
  });

  it('forwards no path that cannot be decoded, and logs the original', async () => {
    const { url, lines } = await setUp();
    const response = await fetch(`${url}/fleets/%E0%A4%A?q=1`);
    expect(await response.text()).toContain('/fleets/%EF%BF%BDE0%EF%BF%BDA4%EF%BF%BDA?q=1');
    await expect.poll(() => lines).toMatchObject([{ path: '/fleets/%E0%A4%A' }]);
  });

  it('logs a refusal at the level info, and requests that a client gave up', async () => {
    const { url, lines, answered, contexts } = await setUp({
      next: (request, response) => {
        if (request.url !== '/gone') response.writeHead(404).end();
      },
    });
    await fetch(`${url}/nothing`);
    const asked = get(`${url}/gone`).on('error', () => undefined);
    await expect.poll(() => contexts).toHaveLength(2);
    asked.destroy();
    await expect.poll(() => answered).toEqual([404, 0]);
    expect(lines.map(({ level, status }) => [level, status])).toEqual([
      ['info', 404],
      ['info', 0],
    ]);
  });

  it('identifies the client by its socket, whatever headers it sends', async () => {
    const { url, contexts } = await setUp();
    await fetch(url, { headers: { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https' } });
    expect(contexts).toMatchObject([{ address: '127.0.0.1', isTls: false, isLocal: false }]);
  });

  it('refuses a change that a page of another site requests, in text on a page and as data elsewhere', async () => {
    const { url, contexts } = await setUp();
    const init = { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } };
    const page = await fetch(`${url}/status`, init);
    expect([page.status, await page.text()]).toEqual([403, 'Only pages of this server may request that.\n']);
    const data = await fetch(`${url}/api/x`, init);
    expect([data.status, await data.json()]).toMatchObject([403, { code: 'cross-origin' }]);
    expect((await fetch(`${url}/api/fleets/1/live?${'x'.repeat(5000)}`)).status).toBe(414);
    expect(contexts).toEqual([]);
    expect(await (await fetch(`${url}/tracking/ingest/osmand`, init)).text()).toBe('tracking');
    const own = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } };
    expect((await fetch(`${url}/api/x`, own)).status).toBe(200);
    expect((await fetch(`${url}/status`, own)).status).toBe(405);
  });

  it('answers polls by the fast path, the tracking service by itself and all else by Next.js', async () => {
    const { url } = await setUp();
    const read = async (path: string) => (await fetch(`${url}${path}`)).text();
    expect(await read('/api/fleets/1/live?since=x')).toBe('fast path');
    // Next.js hides it from its handlers, and what they answer is compressed only if it is text.
    expect(await read('/api/fleets/1/past?at=1')).toContain('gzip');
    expect(await read('/tracking')).toBe('tracking');
    expect(await read('/tracking/api/carrier')).toBe('tracking');
    for (const path of ['/trackingx', '/api/fleets/1', '/metrics'])
      expect(await read(path)).toContain('Next.js');
  });

  it('gives a page a policy with the nonce of its context', async () => {
    const { url, contexts } = await setUp();
    const { headers } = await fetch(`${url}/status`);
    expect(headers.get('content-security-policy')).toContain(`'nonce-${contexts[0]?.nonce}'`);
    const data = await fetch(`${url}/api/x`);
    expect(contexts[1]?.nonce).toBeNull();
    expect(data.headers.get('content-security-policy')).not.toContain('nonce');
  });
});
