import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test, it } from 'vitest';
import { UNREAD_FEED } from '../fleet';
import { createColumns } from '../live';
import { fromLiveBytes } from '../live-bytes';
import { clockOf } from '@/testing/clock';
import { Publisher, type Snapshot, createEpoch, isAtLeast } from './publisher';
import { identityOf } from '@/testing/live/tracked-units';

const ROWS = 200;
const identities = Array.from({ length: ROWS }, (_, i) => identityOf(`VIN${i}`, { make: 'Volvo' }));

const snapshot = (version: string, latE5: number): Snapshot => {
  const columns = createColumns(ROWS);
  columns.latE5.fill(latE5);
  return {
    usdot: '9000001',
    version,
    rows: ROWS,
    identities,
    columns,
    feed: { ...UNREAD_FEED, fetchedAtMs: 1, activeUnits: ROWS },
    account: null,
    nextDueAtMs: 10_000,
  };
};

const setUp = (versionsKept = 3) => {
  let nowMs = 4000;
  const publisher = new Publisher({ versionsKept, slackMs: 250, clock: clockOf(() => nowMs) });
  return {
    publisher,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
};

const parse = (bytes: Uint8Array | null) => fromLiveBytes(bytes!);

test('encodes an answer once, also for requests that arrive during the encoding', async () => {
  const { publisher, pass } = setUp();
  publisher.publish(snapshot('e.1', 1));
  const [first, second] = await Promise.all([publisher.answer(null, 'br'), publisher.answer(null, 'br')]);
  pass(5000);
  const third = await publisher.answer('unknown.7', 'br');
  expect(second.body).toBe(first.body);
  expect(third.body).toBe(first.body);
});

test('compresses as requested, and names the encoding', async () => {
  const { publisher } = setUp();
  publisher.publish(snapshot('e.1', 1));
  const [br, gzip, plain] = await Promise.all([
    publisher.answer(null, 'br'),
    publisher.answer(null, 'gzip'),
    publisher.answer(null, 'identity'),
  ]);
  expect([br.encoding, gzip.encoding, plain.encoding]).toEqual(['br', 'gzip', null]);
  expect(br.body!.length).toBeLessThan(plain.body!.length / 4);
  expect(brotliDecompressSync(br.body!)).toEqual(Buffer.from(plain.body!));
  expect(gunzipSync(gzip.body!)).toEqual(Buffer.from(plain.body!));
});

test('does not compress what fits a packet', async () => {
  const { publisher } = setUp();
  publisher.publish(snapshot('e.1', 1));
  publisher.publish(snapshot('e.2', 1));
  expect(await publisher.answer('e.1', 'br')).toMatchObject({ status: 200, encoding: null, version: 'e.2' });
});

test('gives the time of the next version relative to when the answer was made', async () => {
  const { publisher, pass } = setUp();
  publisher.publish(snapshot('e.1', 1));
  expect(parse((await publisher.answer(null, 'identity')).body)).toMatchObject({
    nowMs: 4000,
    nextPollMs: 6250,
  });
  publisher.publish(snapshot('e.2', 1));
  pass(60_000);
  expect(parse((await publisher.answer('e.1', 'identity')).body)).toMatchObject({
    nowMs: 64_000,
    nextPollMs: 250,
  });
});

test('encodes changes since the last versions only', async () => {
  const { publisher } = setUp(3);
  for (let n = 1; n <= 5; n++) publisher.publish(snapshot(`e.${n}`, n));
  const since = async (version: string) => parse((await publisher.answer(version, 'identity')).body).since;
  expect(await since('e.2')).toBeNull();
  expect(await since('e.3')).toBe('e.3');
  expect(await since('e.4')).toBe('e.4');
  expect((await publisher.answer('e.5', 'identity')).status).toBe(304);
});

test('encodes no change across epochs, in which rows hold other units', async () => {
  const { publisher } = setUp();
  publisher.publish(snapshot('e.1', 1));
  publisher.publish(snapshot('f.2', 2));
  expect(parse((await publisher.answer('e.1', 'identity')).body).since).toBeNull();
});

test('refuses to answer before there is a version', async () => {
  await expect(setUp().publisher.answer(null, 'br')).rejects.toThrow('before the first version');
});

const AT_MS = Date.UTC(2026, 10, 25);

it('orders the versions of an epoch by number, and of two by their time', () => {
  const [earlier, later] = [createEpoch(AT_MS, 0.9), createEpoch(AT_MS + 1, 0.1)];
  expect(isAtLeast(`${earlier}.10`, `${earlier}.9`)).toBe(true);
  expect(isAtLeast(`${earlier}.9`, `${earlier}.9`)).toBe(true);
  expect(isAtLeast(`${earlier}.9`, `${earlier}.10`)).toBe(false);
  expect(isAtLeast(`${later}.1`, `${earlier}.99`)).toBe(true);
  expect(isAtLeast(`${earlier}.99`, `${later}.1`)).toBe(false);
  // Of no server; it would come later by its letters.
  expect(isAtLeast('unknown.1', `${earlier}.1`)).toBe(false);
});

it('has no order for two epochs of one moment', () => {
  const [one, other] = [createEpoch(AT_MS, 0.1), createEpoch(AT_MS, 0.9)];
  expect(isAtLeast(`${one}.1`, `${other}.1`)).toBe(false);
  expect(isAtLeast(`${other}.1`, `${one}.1`)).toBe(false);
});
