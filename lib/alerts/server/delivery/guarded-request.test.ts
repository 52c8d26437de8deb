import type { LookupAddress } from 'node:dns';
import { afterEach, expect, it } from 'vitest';
import { startReceiver } from '@/testing/alerts/receiver';
import { isPublicAddress, isPublicHost } from '@/lib/base/http/public-fetch';
import { createGuardedRequest } from './guarded-request';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const start = async (...options: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...options);
  closers.push(receiver.close);
  return receiver;
};

const REFUSED = /is an address of a private network, where nothing is sent to\.$/;
const post = (url: string, options: Partial<Parameters<typeof createGuardedRequest>[0]> = {}) =>
  createGuardedRequest({ isPrivateAllowed: false, ...options })({
    url,
    headers: {},
    body: '{}',
    signal: new AbortController().signal,
  });

/** A name server whose answers differ from one look-up to the next. */
const answering = (...answers: string[][]) => {
  let count = 0;
  return {
    lookup: (
      _name: string,
      _options: unknown,
      done: (error: null, addresses: LookupAddress[]) => void,
    ): void => {
      const addresses = answers[Math.min(count++, answers.length - 1)]!;
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
    count: () => count,
  };
};

it.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[ff02::1]/',
  'http://[64:ff9b::a00:1]/',
  'http://[2002:a00:1::]/',
  'http://[2001:db8::1]/',
  'http://localhost/',
  'http://localhost./',
  'http://hook.localhost/',
])('refuses %s without a connection', async (url) => {
  expect(isPublicHost(new URL(url))).toBe(false);
  await expect(post(url)).rejects.toThrow(REFUSED);
});

it('takes addresses of the internet', () => {
  for (const address of ['93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1', '2a00:1450::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
  expect(isPublicAddress('hooks.test')).toBe(false);
});

it('refuses a name that stands for an address of this machine or a private network, also beside a public one', async () => {
  const { received, port } = await start();
  for (const answer of [
    ['127.0.0.1'],
    ['::1'],
    ['10.0.0.7'],
    ['169.254.169.254'],
    ['93.184.216.34', '10.0.0.7'],
    ['::ffff:127.0.0.1'],
  ]) {
    const { lookup } = answering(answer);
    await expect(post(`http://hooks.test:${port}/`, { lookup })).rejects.toThrow(REFUSED);
  }
  expect(received).toEqual([]);
});

it('looks a name up once for a connection: a second answer with another address is never used', async () => {
  const { received, port } = await start();
  const names = answering(['192.0.2.1'], ['127.0.0.1']);
  await expect(post(`http://hooks.test:${port}/`, { lookup: names.lookup })).rejects.toThrow(REFUSED);
  expect(names.count()).toBe(1);
  expect(received).toEqual([]);
});

it('says that a name has no address', async () => {
  const { lookup } = answering([]);
  await expect(post('http://hooks.test/', { lookup })).rejects.toThrow('hooks.test has no address.');
});

it('follows no redirect, and sends to private addresses where that is allowed', async () => {
  const inner = await start();
  const { url, received } = await start(() => (response) => {
    response.writeHead(302, { location: inner.url }).end();
  });
  expect(await post(url, { isPrivateAllowed: true })).toBe(302);
  expect(received).toHaveLength(1);
  expect(inner.received).toEqual([]);
});

it('ends when its signal does, and reads no endless answer', async () => {
  const { url } = await start((count) => (response) => {
    if (count > 0) return;
    response.writeHead(200);
    const write = (): void => void response.write('x'.repeat(65_536), (error) => error || write());
    write();
  });
  expect(await post(url, { isPrivateAllowed: true })).toBe(200);
  const ending = new AbortController();
  const posted = createGuardedRequest({ isPrivateAllowed: true })({
    url,
    headers: {},
    body: '',
    signal: ending.signal,
  });
  ending.abort();
  await expect(posted).rejects.toThrow('aborted');
});
