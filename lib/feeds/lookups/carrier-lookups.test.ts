import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { START_MS } from '@/testing/motion/fixes';
import { TrackingError } from '@/lib/tracking/errors';
import { clockOf } from '@/testing/clock';
import { CarrierCache, CarrierLookups } from './carrier-lookups';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { POLL_MS, pass, readWhole, setUpFeed, watchFor } from '@/testing/live/watched-feed';

beforeEach(() => void vi.useFakeTimers({ now: START_MS }));
afterEach(() => void vi.useRealTimers());

const now = () => Date.now();
const OTHER = '9000002';
const OURS = { mcNumber: 'MC-990001', usdot: '9000001' };
const VINS = ['A', 'B', 'C', 'D'];
const LONG_MS = 1e9;

const setUp = (read: (vin: string, signal?: AbortSignal) => Promise<typeof OURS>, changes = {}) => {
  const settings = { ...DEFAULT_LIVE_SETTINGS, ...changes };
  const asked: { vin: string; atMs: number }[] = [];
  const clock = clockOf(now);
  const carriers = new CarrierCache(settings, clock);
  const lookups = new CarrierLookups({
    client: {
      readCarrier: (vin, options) => {
        asked.push({ vin, atMs: now() - START_MS });
        return read(vin, options?.signal);
      },
    },
    carriers,
    readVins: () => VINS,
    isOpen: (vin) => (carriers.known(vin)?.carrier.usdot ?? null) === OTHER && carriers.known(vin)!.times < 2,
    clock,
    random: () => 0.5,
    settings,
  });
  carriers.listen(({ carrier }) => lookups.noteAnswer(carrier.vin));
  return { lookups, carriers, asked };
};

describe('carrier look-ups', () => {
  test('go one at a time, with more than the least pause between two, until each VIN is known', async () => {
    const { lookups, asked, carriers } = setUp(async () => OURS);
    lookups.release(now() + LONG_MS);
    await pass(30_000);
    expect(asked.map(({ vin }) => vin)).toEqual(VINS);
    const pauses = asked.slice(1).map(({ atMs }, i) => atMs - asked[i]!.atMs);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(DEFAULT_LIVE_SETTINGS.carrierPauseMs!);
    expect(carriers.known('C')).toEqual({
      carrier: { vin: 'C', ...OURS, requestedAtMs: START_MS + asked[2]!.atMs },
      times: 1,
    });
  });

  test('cache that the provider does not know a VIN, and each answer for a day', async () => {
    const { lookups, asked, carriers } = setUp(async (vin) => {
      throw new TrackingError('notFound', `${vin}: not found.`);
    });
    lookups.release(now() + LONG_MS);
    await pass(20 * 3_600_000);
    expect(asked).toHaveLength(4);
    expect(carriers.known('A')?.carrier).toMatchObject({ usdot: null, mcNumber: null });
    await pass(5 * 3_600_000);
    expect(asked).toHaveLength(8);
  });

  test('pause after a failure, longer each time and at least the Retry-After, and continue with the next VIN', async () => {
    let fails = 2;
    const { lookups, asked } = setUp(async () => {
      if (fails-- > 0)
        throw new TrackingError('rateLimit', '429', {
          status: 429,
          retryAfterMs: fails === 0 ? 300_000 : null,
        });
      return OURS;
    });
    lookups.release(now() + LONG_MS);
    await pass(600_000);
    const [first, second, third] = asked;
    expect(asked.map(({ vin }) => vin).slice(0, 3)).toEqual(['A', 'B', 'C']);
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(0.75 * DEFAULT_LIVE_SETTINGS.carrierRetryMs);
    expect(third!.atMs - second!.atMs).toBeGreaterThanOrEqual(300_000);
    expect(asked.slice(3).map(({ vin }) => vin)).toEqual(expect.arrayContaining(['A', 'B']));
  });

  test('give way to a poll: the request in flight is aborted, and is the first one after it', async () => {
    const signals: AbortSignal[] = [];
    const { lookups, asked, carriers } = setUp(
      (_, signal) =>
        new Promise((resolve, reject) => {
          signals.push(signal!);
          signal!.addEventListener('abort', () => reject(new Error('aborted')));
          if (asked.length > 1) resolve(OURS);
        }),
    );
    lookups.release(now() + LONG_MS);
    await pass(2000);
    expect(asked).toHaveLength(1);
    lookups.hold();
    expect(signals[0]!.aborted).toBe(true);
    await pass(60_000);
    expect(asked).toHaveLength(1);
    lookups.release(now() + LONG_MS);
    await pass(120_000);
    expect(asked.map(({ vin }) => vin)).toEqual(['A', ...VINS]);
    expect(VINS.map((vin) => carriers.known(vin)?.carrier.usdot)).toEqual(VINS.map(() => '9000001'));
  });

  test('give way once for a VIN whose request outlasts each pause, and go on with the others', async () => {
    const { lookups, asked } = setUp(
      (_, signal) =>
        new Promise((_resolve, reject) =>
          signal!.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    );
    for (let poll = 0; poll < 4; poll++) {
      lookups.release(now() + LONG_MS);
      await pass(5000);
    }
    expect(asked.map(({ vin }) => vin)).toEqual(['A', 'A', 'B', 'B']);
  });

  test('repeat soon, once, the request whose answer would flag a unit, before VINs that were not requested yet', async () => {
    const { lookups, asked, carriers } = setUp(
      async (vin) => (vin === 'A' ? { ...OURS, usdot: OTHER } : OURS),
      {
        carrierPauseMs: 6000,
      },
    );
    lookups.release(now() + LONG_MS);
    await pass(120_000);
    expect(asked.map(({ vin }) => vin)).toEqual(['A', 'B', 'A', 'C', 'D']);
    expect(asked[2]!.atMs - asked[0]!.atMs).toBeGreaterThanOrEqual(DEFAULT_LIVE_SETTINGS.carrierRepeatMs);
    expect(carriers.known('A')).toMatchObject({ carrier: { usdot: OTHER }, times: 2 });
  });

  test('repeat in the next round where the second answer failed, or another request got the first', async () => {
    let fails = 1;
    const { lookups, asked, carriers } = setUp(async (vin) => {
      if (vin === 'A' && asked.filter((each) => each.vin === 'A').length === 2 && fails-- > 0)
        throw new TrackingError('status', '500', { status: 500 });
      return vin === 'A' || vin === 'D' ? { ...OURS, usdot: OTHER } : OURS;
    });
    carriers.learn({ vin: 'D', ...OURS, usdot: OTHER, requestedAtMs: now() });
    lookups.release(now() + LONG_MS);
    await pass(300_000);
    const times = (vin: string) => asked.filter((each) => each.vin === vin).length;
    expect(VINS.map(times)).toEqual([3, 1, 1, 1]);
    expect(VINS.map((vin) => carriers.known(vin)!.times)).toEqual([2, 1, 1, 2]);
  });

  test('send no second request where another request got the answer, and restart the count at another carrier', async () => {
    const other = { ...OURS, usdot: OTHER };
    const { lookups, asked, carriers } = setUp(async (vin) => (vin === 'A' ? other : OURS));
    lookups.release(now() + LONG_MS);
    await pass(3000);
    carriers.learn({ vin: 'A', ...other, requestedAtMs: now() });
    await pass(120_000);
    expect(asked.filter(({ vin }) => vin === 'A')).toHaveLength(1);
    carriers.learn({ vin: 'A', ...OURS, requestedAtMs: now() });
    expect(carriers.known('A')).toMatchObject({ carrier: OURS, times: 1 });
  });

  test('cache no more VINs than they may, and skip those that would have to be evicted', async () => {
    const { lookups, asked } = setUp(async () => OURS, { carriersKept: 2 });
    lookups.release(now() + LONG_MS);
    await pass(600_000);
    expect(asked.map(({ vin }) => vin)).toEqual(['A', 'B']);
  });

  test('are off where the settings disable them', async () => {
    const { lookups, asked } = setUp(async () => OURS, { carrierPauseMs: null });
    lookups.release(now() + LONG_MS);
    await pass(60_000);
    expect(asked).toEqual([]);
  });
});

describe('a feed', () => {
  test('looks up its units between polls, never during one or while they fail, and flags units that are registered elsewhere', async () => {
    const { provider, feed } = setUpFeed({ carrierPauseMs: 1000 });
    provider.carrier = async (vin) => ({ ...OURS, usdot: vin === 'DRIVES' ? OTHER : OURS.usdot });
    await watchFor(feed, 5 * POLL_MS);
    expect(provider.mostInFlight).toMatchObject({ units: 1, carrier: 1 });
    // Twice for the one that is flagged.
    expect(provider.calls.carrier).toBe(3);
    const { rows } = await readWhole(feed);
    expect(rows).toBe(3);
    const flags = (await feed.detail('DRIVES'))?.flags.map(({ flag }) => flag);
    expect(flags).toEqual(['wrongCarrier']);
  });

  test('looks up no carrier while the provider fails to give its units, nor when the fleet is not watched', async () => {
    const { provider, feed } = setUpFeed();
    provider.units = async () => {
      throw new TrackingError('status', '500', { status: 500 });
    };
    await watchFor(feed, 6 * POLL_MS);
    expect(provider.calls.carrier).toBe(0);
  });
});
