import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import {
  FAULTY_USDOT,
  FLEET_UNITS,
  seeUnits,
  setUpFaultyFeed,
  type FaultyFeed,
} from '@/testing/live/faulty-feed';
import { unitAt } from '@/testing/live/tracked-units';
import { POLL_MS, minutesPassed, pass, readWhole, setUpFeed, watchFor } from '@/testing/live/watched-feed';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
});

/** A fleet that advances at every poll, watched for two minutes: its norms are known. */
const setUpUsual = async (): Promise<FaultyFeed> => {
  const faulty = await setUpFaultyFeed();
  closings.push(faulty.provider.close);
  await faulty.pollFor(2 * MINUTE_MS);
  expect((await faulty.read()).feed.problem).toBeNull();
  return faulty;
};

const countSilent = async ({ read }: FaultyFeed): Promise<number> =>
  [...seeUnits(await read()).values()].filter(({ status }) => status === 'silent').length;

const expectClearedAfterSteadyRun = async (faulty: FaultyFeed): Promise<void> => {
  faulty.provider.behave(FAULTY_USDOT, 'good');
  await faulty.poll();
  expect((await faulty.read()).feed).toMatchObject({ staleSinceMs: null, problem: expect.anything() });
  await faulty.pollFor(MINUTE_MS);
  expect((await faulty.read()).feed).toMatchObject({ staleSinceMs: null, problem: null });
  expect(await countSilent(faulty)).toBe(0);
  expect(faulty.feed.problems()).toHaveLength(1);
  expect(faulty.logged).toHaveLength(1);
};

describe('part of a list', () => {
  test.each([
    ['halfList', 10],
    ['firstPageOnly', 5],
  ] as const)('%s: is held at the first answer, and no truck leaves', async (fault, listed) => {
    const faulty = await setUpUsual();
    faulty.provider.behave(FAULTY_USDOT, fault);
    await faulty.poll();
    const { feed } = await faulty.read();
    expect(feed.staleSinceMs).not.toBeNull();
    expect(feed.problem).toMatchObject({
      kind: 'drop',
      message: `The tracking provider lists only ${listed} of the ${FLEET_UNITS} trucks that it listed before.`,
    });
    await faulty.pollFor(MINUTE_MS / 2);
    expect(await countSilent(faulty)).toBe(0);
    await expectClearedAfterSteadyRun(faulty);
  });

  test('that is repeated for as long as the quarantine lasts is accepted, with a notice for half an hour', async () => {
    const faulty = await setUpUsual();
    faulty.provider.behave(FAULTY_USDOT, 'halfList');
    await faulty.pollFor(MINUTE_MS + 2 * POLL_MS);
    expect((await faulty.read()).feed).toMatchObject({ staleSinceMs: null, activeUnits: FLEET_UNITS / 2 });
    await faulty.pollFor(MINUTE_MS);
    expect(await countSilent(faulty)).toBe(FLEET_UNITS / 2);
    await faulty.pollFor(25 * MINUTE_MS);
    expect((await faulty.read()).feed.problem).toMatchObject({ kind: 'drop' });
    await faulty.pollFor(5 * MINUTE_MS);
    expect((await faulty.read()).feed.problem).toBeNull();
    expect(faulty.feed.problems()).toHaveLength(1);
  });
});

test('records that are repeated for a quarter of an hour give one notice, from the second poll to a steady run', async () => {
  const faulty = await setUpUsual();
  const { columns } = await faulty.read();
  faulty.provider.behave(FAULTY_USDOT, 'repeatsRecords');
  await faulty.poll();
  await faulty.poll();
  const first = (await faulty.read()).feed.problem;
  expect(first).toMatchObject({
    kind: 'repeated',
    message: 'The tracking provider repeats its last answer: no truck has a newer position.',
  });
  for (let minutes = 0; minutes < 15; minutes++) {
    await faulty.pollFor(MINUTE_MS);
    expect((await faulty.read()).feed.problem).toEqual(first);
  }
  expect((await faulty.read()).columns.fixAtS).toEqual(columns.fixAtS);
  await expectClearedAfterSteadyRun(faulty);
});

test('records without a position are no repeated answer', async () => {
  const faulty = await setUpUsual();
  faulty.provider.behave(FAULTY_USDOT, 'nullButTheVin');
  await faulty.pollFor(MINUTE_MS);
  expect((await faulty.read()).feed.problem).toBeNull();
});

describe('answers that alternate', () => {
  test.each(['replica60s', 'emptyEverySecond'] as const)(
    '%s: give one notice that stays, and every second answer is taken',
    async (fault) => {
      const faulty = await setUpUsual();
      faulty.provider.behave(FAULTY_USDOT, fault);
      await faulty.poll();
      const first = (await faulty.read()).feed.problem;
      expect(first).not.toBeNull();
      for (let polls = 0; polls < 30; polls++) {
        await faulty.poll();
        const { feed } = await faulty.read();
        expect(feed).toMatchObject({ staleSinceMs: null, activeUnits: FLEET_UNITS });
        expect(feed.problem).toMatchObject({ kind: first!.kind, sinceMs: first!.sinceMs });
        if (polls > 0) expect(feed.problem!.message).toContain('Its answers alternate');
        expect(faulty.now() - feed.fetchedAtMs!).toBeLessThanOrEqual(POLL_MS);
        expect(await countSilent(faulty)).toBe(0);
      }
      await expectClearedAfterSteadyRun(faulty);
    },
  );
});

describe('the norms of a fleet', () => {
  beforeEach(() => void vi.useFakeTimers({ now: START_MS }));
  afterEach(() => void vi.useRealTimers());

  const keys = (count: number): string[] => Array.from({ length: count }, (_, i) => `UNIT-${i}`);
  const driving = (count: number) =>
    keys(count).map((key) => unitAt(key, minutesPassed(), minutesPassed() * 1500));

  /** The kinds of problem that the feed had while `step` changed the fleet each minute. */
  const watchMinutes = async (minutes: number, answer: (minute: number) => ReturnType<typeof driving>) => {
    const { provider, feed } = setUpFeed();
    provider.vins = async () => [];
    provider.units = async () => answer(Math.floor(minutesPassed()));
    const first = feed.answer(null, 'identity');
    await pass(POLL_MS);
    await first;
    await watchFor(feed, minutes * MINUTE_MS);
    return { feed, kinds: feed.problems().map(({ kind }) => kind) };
  };

  test.each([2, 3, 4, 5])(
    'of %i trucks, all but one of which leave at once, are not known',
    async (count) => {
      const { kinds } = await watchMinutes(10, (minute) => driving(minute < 5 ? count : 1));
      expect(kinds).toEqual([]);
    },
  );

  test.each([2, 3, 4, 5])('of %i trucks that park at once are not known', async (count) => {
    const { kinds } = await watchMinutes(20, (minute) =>
      minute < 5 ? driving(count) : keys(count).map((key) => unitAt(key, 5, 7500)),
    );
    expect(kinds).toEqual([]);
  });

  test('learn the end of a shift once: the next one as large is accepted at once', async () => {
    const present = (minute: number): number => {
      if (minute < 5) return 40;
      // Eight leave at once, and come back; then eight leave again.
      return minute < 10 || minute >= 15 ? 32 : 40;
    };
    const { feed, kinds } = await watchMinutes(20, (minute) => driving(present(minute)));
    expect(kinds).toEqual(['drop']);
    expect((await readWhole(feed)).feed).toMatchObject({ activeUnits: 32, problem: null });
  });

  test('let trucks leave one after another without a notice', async () => {
    const { kinds } = await watchMinutes(30, (minute) => driving(31 - minute));
    expect(kinds).toEqual([]);
  });

  test('let a fleet fall asleep truck by truck without a notice', async () => {
    const { kinds } = await watchMinutes(40, (minute) =>
      keys(12).map((key, i) => {
        const at = Math.min(minutesPassed(), 5 + i * 2);
        return minute < 5 ? unitAt(key, minutesPassed(), 0) : unitAt(key, at, 0);
      }),
    );
    expect(kinds).toEqual([]);
  });

  test('include a step a minute where the provider refreshes its list so seldom', async () => {
    const { kinds } = await watchMinutes(30, (minute) => keys(12).map((key) => unitAt(key, minute, 0)));
    expect(kinds).toEqual([]);
  });

  test('are void after a pause, during which trucks may have left', async () => {
    const { provider, feed } = setUpFeed();
    provider.vins = async () => [];
    provider.units = async () => driving(40);
    await watchFor(feed, 5 * MINUTE_MS);
    await pass(60 * MINUTE_MS);
    provider.units = async () => driving(20);
    await watchFor(feed, MINUTE_MS);
    expect(feed.problems()).toEqual([]);
  });
});
