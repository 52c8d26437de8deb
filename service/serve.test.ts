import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { serveService } from './serve';
import type { Service } from './service';
import { sendRaw } from '../testing/service/raw-http';
import { createTestService, toHeaders } from '../testing/service/service';

const test = createTestService();
const LOCAL = { port: 0, hostname: '127.0.0.1' };

describe('serveService', () => {
  it('serves the endpoints on a port of its own', async () => {
    const running = await serveService({ service: test.service, ...LOCAL });
    const response = await fetch(`${running.url}/api/carrier`, { headers: toHeaders(test.own) });
    expect(response.status).toBe(200);
    const again = await fetch(`${running.url}/api/carrier`, {
      headers: { ...toHeaders(test.own), 'if-none-match': response.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
    const head = await fetch(`${running.url}/api/carrier`, { method: 'HEAD', headers: toHeaders(test.own) });
    expect(head.headers.get('content-length')).toBe(response.headers.get('content-length'));
    await running.close();
  });

  it('gives every answer security headers, and refuses a malformed request clearly', async () => {
    const running = await serveService({ service: test.service, ...LOCAL });
    const port = Number(new URL(running.url).port);
    const requests: [status: number, line: string, host?: string | null][] = [
      [401, 'GET /api/carrier'],
      [200, 'GET /openapi.json'],
      [200, 'GET http://fleet.example/openapi.json'],
      [404, 'GET /nothing'],
      [405, 'TRACE /api/carrier'],
      [405, 'CONNECT evil.test:443'],
      [400, 'GET *'],
      [204, 'OPTIONS *'],
      [400, 'GET /docs', 'a<b'],
      [400, 'GET /docs', ''],
      [400, 'GET /docs', null],
      [400, 'GET /docs', 'a\r\nHost: b'],
    ];
    for (const [status, line, host = 'a'] of requests) {
      const fields = host === null ? '' : `Host: ${host}\r\n`;
      const answer = await sendRaw(port, `${line} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`);
      expect([answer.status, answer.isClosed], line).toEqual([status, true]);
      expect(Object.fromEntries(answer.headers), line).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      });
    }
    const docs = (await fetch(`${running.url}/docs`)).headers.get('content-security-policy');
    expect(docs).toContain('style-src');
    await running.close();
  });

  it('keeps no connection open for an upgrade or a request that does not end', async () => {
    const echo: Service = {
      fetch: async (request) => new Response(await request.text(), { status: 404 }),
    };
    const running = await serveService({
      service: echo,
      ...LOCAL,
      timeouts: { headersTimeout: 200, requestTimeout: 200 },
    });
    const port = Number(new URL(running.url).port);
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
    expect(await sendRaw(port, `GET /x HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`)).toMatchObject({
      status: 404,
      isClosed: true,
    });
    const slow = 'POST /ingest/osmand HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nid=';
    expect(await sendRaw(port, slow, 8000)).toMatchObject({ status: 408, isClosed: true });
    await running.close();
  }, 15_000);

  it('rejects when the port is taken', async () => {
    const running = await serveService({ service: test.service, ...LOCAL });
    const port = Number(new URL(running.url).port);
    await expect(serveService({ service: test.service, port, hostname: '127.0.0.1' })).rejects.toThrow(
      'EADDRINUSE',
    );
    await running.close();
  });

  it('lets a request in flight end, and closes its port', async () => {
    const slow: Service = {
      fetch: () => new Promise((resolve) => setTimeout(() => resolve(new Response('done')), 200)),
    };
    const running = await serveService({ service: slow, ...LOCAL });
    const answer = fetch(running.url).then((response) => response.text());
    await new Promise((resolve) => setTimeout(resolve, 50));
    await running.close();
    expect(await answer).toBe('done');
    await expect(fetch(running.url)).rejects.toThrow();
  });

  it('closes within three seconds, whatever clients do', async () => {
    const stuck: Service = { fetch: () => new Promise(() => undefined) };
    const running = await serveService({ service: stuck, ...LOCAL });
    const asking = fetch(running.url).catch((error: Error) => error);
    const idle = connect(Number(new URL(running.url).port), '127.0.0.1');
    idle.on('error', () => undefined);
    await once(idle, 'connect');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const startedAt = performance.now();
    await running.close();
    expect(performance.now() - startedAt).toBeLessThan(3000);
    expect(await asking).toBeInstanceOf(Error);
  });
});
