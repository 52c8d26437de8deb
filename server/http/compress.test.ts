import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw } from '@/testing/service/raw-http';
import { compressResponse } from './compress';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const LONG = 'vin '.repeat(5000);

const setUp = async (listener: RequestListener) => {
  const server = createServer((request, response) => {
    compressResponse(request, response);
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const read = (method = 'GET', accept = 'gzip, br') =>
    sendRaw(
      port,
      `${method} / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${accept}\r\nConnection: close\r\n\r\n`,
    );
  const url = `http://127.0.0.1:${port}`;
  return { read, url };
};

const json: RequestListener = (_, response) =>
  void response.setHeader('content-type', 'application/json').end(LONG);

describe('compressResponse', () => {
  it('compresses text that comes at once, in pieces or after its headers', async () => {
    const ways: RequestListener[] = [
      json,
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.write(LONG.slice(0, 7000));
        response.end(LONG.slice(7000));
      },
      (_, response) => {
        response.setHeader('content-type', ['application/json']);
        response.flushHeaders();
        response.write(Buffer.from(LONG));
        response.end();
      },
    ];
    for (const way of ways) {
      const { url } = await setUp(way);
      const response = await fetch(url);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(await response.text()).toBe(LONG);
    }
  });

  it('sends fewer bytes than the text has', async () => {
    const { read } = await setUp(json);
    const { body, headers } = await read();
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(body.length).toBeLessThan(LONG.length / 10);
  });

  it('leaves an answer unchanged that the client does not accept compressed, or that is short, encoded, not text or without a body', async () => {
    const plain = await setUp(json);
    const identity = await plain.read('GET', 'br');
    expect([identity.headers.get('content-encoding'), identity.body]).toEqual([null, LONG]);
    expect(identity.headers.get('vary')).toBe('Accept-Encoding');
    expect((await plain.read('HEAD')).body).toBe('');
    const others: RequestListener[] = [
      (_, response) => void response.setHeader('content-type', 'application/json').end('{}'),
      (_, response) => void response.setHeader('content-type', 'image/png').end(LONG),
      (_, response) => void response.writeHead(206, { 'content-type': 'text/plain' }).end(LONG),
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'br' }).end(LONG),
    ];
    for (const other of others) {
      const { read } = await setUp(other);
      expect((await read()).headers.get('content-encoding')).not.toBe('gzip');
    }
    const { read } = await setUp((_, response) => void response.writeHead(304).end());
    expect((await read()).status).toBe(304);
  });

  it('states no length where there is no body, which may differ from that of the GET', async () => {
    const lengthOf = async (statusCode: number, method: string) => {
      const { read } = await setUp((_, response) => void Object.assign(response, { statusCode }).end());
      const { status, headers } = await read(method);
      expect(status).toBe(statusCode);
      return headers.get('content-length')?.trim() ?? null;
    };
    expect(await lengthOf(200, 'GET')).toBe('0');
    for (const [status, method] of [
      [204, 'DELETE'],
      [304, 'GET'],
      [200, 'HEAD'],
    ] as const)
      expect(await lengthOf(status, method), method).toBeNull();
  });

  it('hides Accept-Encoding from the handler, and waits for a slow client', async () => {
    const seen: unknown[] = [];
    const { url } = await setUp(async (request, response) => {
      seen.push(request.headers['accept-encoding']);
      response.setHeader('content-type', 'text/plain');
      for (let part = 0; part < 200; part++)
        if (!response.write(`${part} ${Math.random()}`.repeat(2000))) await once(response, 'drain');
      response.end('end');
    });
    expect((await (await fetch(url)).text()).endsWith('end')).toBe(true);
    expect(seen).toEqual([undefined]);
  });
});
