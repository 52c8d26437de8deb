import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { serveService } from './serve';
import type { Service } from './service';
import { createTestService, toHeaders } from './testing/service';

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

  it('rejects when the port is taken', async () => {
    const running = await serveService({ service: test.service, ...LOCAL });
    const port = Number(new URL(running.url).port);
    await expect(serveService({ service: test.service, port, hostname: '127.0.0.1' })).rejects.toThrow(
      'EADDRINUSE',
    );
    await running.close();
  });

  it('lets a request under way end, and closes its port', async () => {
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
