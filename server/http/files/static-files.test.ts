import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStaticFiles } from './static-files';

const SCRIPT = 'console.log("a script");';
const root = mkdtempSync(join(tmpdir(), 'static-files-'));
mkdirSync(join(root, '.next', 'static', 'chunks'), { recursive: true });
writeFileSync(join(root, '.next', 'static', 'chunks', 'a.js'), SCRIPT);
writeFileSync(join(root, '.next', 'static', 'chunks', 'a.js.br'), brotliCompressSync(SCRIPT));

const OTHER = 'console.log("of another build");';
const OTHER_PATH = '/_next/static/chunks/other.js';
const shared: [string, string][] = [];
const others = {
  share: (copies: ReadonlyMap<string, string>) => void shared.push(...copies),
  read: async (path: string) => (path === OTHER_PATH ? brotliCompressSync(OTHER) : null),
};
const next = (_: IncomingMessage, response: ServerResponse) => void response.end('Next.js');
const files = createStaticFiles(root, { error: () => undefined }, others, next);
const server = createServer((incoming, response) => {
  if (!files(incoming, response)) next(incoming, response);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

const get = async (path: string, headers: Record<string, string>, method = 'GET') => {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', path, headers, method, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
};
const PATH = '/_next/static/chunks/a.js';
const BROTLI = { 'accept-encoding': 'gzip, deflate, br' };

it('sends the Brotli copy of a file of the build, to be kept by the browser', async () => {
  const { status, headers, body } = await get(PATH, BROTLI);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=UTF-8',
    'content-length': String(body.length),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  });
  expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
  const again = await get(PATH, { ...BROTLI, 'if-none-match': headers.etag! });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

it('leaves to Next.js what it has no copy of, other encodings, ranges and methods', async () => {
  const left: [string, Record<string, string>, string?][] = [
    ['/_next/static/chunks/b.js', BROTLI],
    ['/_next/static/chunks/%2e%2e/a.js', BROTLI],
    [PATH, { 'accept-encoding': 'gzip' }],
    [PATH, { ...BROTLI, range: 'bytes=0-3' }],
    [PATH, BROTLI, 'POST'],
  ];
  for (const [path, headers, method] of left)
    expect((await get(path, headers, method)).body.toString()).toBe('Next.js');
});

it('shares the files of its build, and sends those of the builds of other servers', async () => {
  expect(shared).toEqual([[PATH, join(root, '.next', 'static', 'chunks', 'a.js.br')]]);
  const accepted = await get(OTHER_PATH, BROTLI);
  expect(accepted.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=UTF-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(brotliDecompressSync(accepted.body).toString()).toBe(OTHER);
  const plain = await get(OTHER_PATH, { 'accept-encoding': 'gzip' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body.toString()).toBe(OTHER);
});
