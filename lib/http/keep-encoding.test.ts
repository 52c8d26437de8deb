import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { NodeNextRequest, NodeNextResponse } from 'next/dist/server/base-http/node';
import { sendResponse } from 'next/dist/server/send-response';
import { afterEach, describe, expect, it } from 'vitest';
import { keepEncoding } from './keep-encoding';

const started: { close: () => void }[] = [];
afterEach(() => started.splice(0).forEach((server) => server.close()));

/** What a browser receives of a response that Next.js itself puts on the wire. */
const receive = async (response: Response): Promise<Response> => {
  const server = createServer((incoming, outgoing) => {
    void sendResponse(new NodeNextRequest(incoming), new NodeNextResponse(outgoing), response);
  });
  started.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
};

const createCompressed = () =>
  new Response(gzipSync('{"a":1}'), {
    headers: { 'content-encoding': 'gzip', 'content-type': 'application/json', etag: '"v"' },
  });

describe('keepEncoding', () => {
  it('brings a compressed body through Next.js, so that it can be read', async () => {
    const received = await receive(keepEncoding(createCompressed()));
    expect(received.headers.get('content-encoding')).toBe('gzip');
    expect(received.headers.get('etag')).toBe('"v"');
    expect(await received.json()).toEqual({ a: 1 });
  });

  it('is still needed: without it the name of the encoding gets lost', async () => {
    const received = await receive(createCompressed());
    expect(received.headers.get('content-encoding')).toBeNull();
  });
});
