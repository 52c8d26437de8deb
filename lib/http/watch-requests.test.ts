import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog, createSecretKeeper } from '../ops/log';
import { createDoor } from './door';
import { toLoggedPath, watchRequests } from './watch-requests';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

const setUp = async (answer: RequestListener = (_, response) => void response.end('ok')) => {
  const lines: Record<string, unknown>[] = [];
  const answered: number[] = [];
  const seen: IncomingHttpHeaders[] = [];
  const targets: (string | undefined)[] = [];
  const log = createLog(createSecretKeeper(), 'debug', {
    write: (line) => void lines.push(JSON.parse(line)),
  });
  const door = createDoor(
    { trustedProxies: 0, clientRequestsPerS: 1, maxUrlCharacters: 4096, publicUrl: null },
    () => 0,
  );
  cleanups.push(watchRequests({ door, log, onAnswered: (status) => answered.push(status) }));
  const server = createServer((request, response) => {
    seen.push(request.headers);
    targets.push(request.url);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, lines, answered, seen, targets, door };
};

describe('watchRequests', () => {
  it('gives a request an id, which its answer and its line bear', async () => {
    const { url, lines, seen } = await setUp();
    const response = await fetch(`${url}/fleets/9000001?q=secret`);
    const id = response.headers.get('x-request-id');
    expect(id).toMatch(UUID);
    expect(seen[0]!['x-request-id']).toBe(id);
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'debug',
      requestId: id,
      method: 'GET',
      path: '/fleets/9000001',
      status: 200,
      ms: expect.any(Number) as number,
    });
  });

  it('keeps the id that a request comes with, unless that could break a line', async () => {
    const { url } = await setUp();
    const ask = async (id: string) =>
      (await fetch(url, { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await ask('req-2b1f.77:a_b')).toBe('req-2b1f.77:a_b');
    for (const id of ['7', 'x'.repeat(128), '{"level":"fatal"}', 'Root=1-67/a+b==;!~'])
      expect(await ask(id), id).toBe(id);
    for (const id of ['x'.repeat(129), 'has a blank in it', 'caf\u00e9'])
      expect(await ask(id), id).toMatch(UUID);
  });

  it('hands on no path that cannot be decoded, and logs it as it came', async () => {
    const { url, lines, targets } = await setUp();
    await fetch(`${url}/fleets/%E0%A4%A?q=1`);
    expect(targets).toEqual(['/fleets/%EF%BF%BDE0%EF%BF%BDA4%EF%BF%BDA?q=1']);
    await expect.poll(() => lines).toMatchObject([{ path: '/fleets/%E0%A4%A' }]);
  });

  it('tells a refusal at the level of information, and what a client gave up', async () => {
    const { url, lines, answered, seen } = await setUp((request, response) => {
      if (request.url === '/gone') return;
      response.writeHead(404).end();
    });
    await fetch(`${url}/nothing`);
    const asked = get(`${url}/gone`).on('error', () => undefined);
    await expect.poll(() => seen).toHaveLength(2);
    asked.destroy();
    await expect.poll(() => answered).toEqual([404, 0]);
    expect(lines.map(({ level, status }) => [level, status])).toEqual([
      ['info', 404],
      ['info', 0],
    ]);
  });

  it('notes the client by its socket, whatever the request says of itself', async () => {
    const { url, seen, door } = await setUp();
    await fetch(url, { headers: { 'x-forwarded-for': '198.51.100.1' } });
    await fetch(url, { headers: { 'x-forwarded-for': '198.51.100.2' } });
    const marked = seen.map((headers) =>
      Object.entries(headers).find(([name]) => name.startsWith('x-client-')),
    );
    expect(marked.map((entry) => entry?.[1])).toEqual(['127.0.0.1', '127.0.0.1']);
    const take = (headers: IncomingHttpHeaders) => door.take({ url: '/', headers });
    for (let request = 0; request < 10; request++) take(seen[0]!);
    expect(() => take(seen[1]!)).toThrow('Too many requests');
  });
});

describe('toLoggedPath', () => {
  it('leaves out where devices put their tokens, and whatever looks like a secret of ours', () => {
    expect(toLoggedPath('/tracking/ingest/lh_ingest_0123456789/osmand?id=1')).toBe('/tracking/…');
    expect(toLoggedPath('/api/fleets/1/live?since=lh_key_0123456789')).toBe('/api/fleets/1/live');
    expect(toLoggedPath('/typed/lh_key_0123456789abc/here')).toBe('/typed/[hidden]/here');
    expect(toLoggedPath(`/${'x'.repeat(5000)}`)).toHaveLength(200);
  });
});
