import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compress } from '@/lib/base/http/compress';
import { UNREAD_FEED } from '@/lib/wire/fleet';
import { fromPublishedBytes, toAccepted, toPublishedBytes } from './published-fleet';

/** Long enough to be compressed. */
const BYTES = Buffer.from('a snapshot of a fleet '.repeat(200));

const publishedWith = async (delta: Buffer | null) => ({
  version: 'mwwfcx5kabcd.7',
  state: { ...UNREAD_FEED, fetchedAtMs: 1000 },
  salvage: null,
  problems: [],
  refusedForMs: 0,
  snapshot: await compress(BYTES, 'br'),
  delta: delta && { body: delta, encoding: null, since: 'mwwfcx5kabcd.6' },
});

it('reads what was published, with and without a change', async () => {
  for (const delta of [Buffer.from('a change'), null]) {
    const published = await publishedWith(delta);
    const read = fromPublishedBytes(toPublishedBytes(published));
    expect(read).toEqual(published);
    expect(brotliDecompressSync(read.snapshot.body)).toEqual(BYTES);
  }
});

it('refuses what another version of Linehaul has published, and bytes that are cut off', async () => {
  const bytes = toPublishedBytes(await publishedWith(null));
  const other = Buffer.from(bytes.toString('latin1').replace('{"v":"1', '{"v":"2'), 'latin1');
  expect(other).not.toEqual(bytes);
  expect(() => fromPublishedBytes(other)).toThrow();
  expect(() => fromPublishedBytes(bytes.subarray(0, 40))).toThrow();
  expect(() => fromPublishedBytes(Buffer.from('x'))).toThrow();
});

it('converts an answer once for each encoding that clients accept', async () => {
  const { snapshot } = await publishedWith(null);
  expect(await toAccepted(snapshot, 'br')).toBe(snapshot);
  const [gzip, again] = await Promise.all([toAccepted(snapshot, 'gzip'), toAccepted(snapshot, 'gzip')]);
  expect(again).toBe(gzip);
  expect(gunzipSync(gzip.body)).toEqual(BYTES);
  const plain = await toAccepted(snapshot, 'identity');
  expect(plain).toEqual({ body: BYTES, encoding: null });
  expect(await toAccepted(snapshot, 'identity')).toBe(plain);
});
