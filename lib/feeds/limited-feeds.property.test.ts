import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { clockOf } from '@/testing/clock';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { minutesPassed, setUpFeed, watchFor } from '@/testing/live/watched-feed';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { mergeDuplicates } from '@/lib/tracking/normalize/duplicates';
import { LimitedFeeds } from './limited-feeds';
import { IS_LONG } from '@/testing/long';

const TRUCKS = 6;
/** The viewer sees the trucks 0 and 1. */
const SEEN = 2;
const POLLS = 3;
/** Marks that are nowhere else in an answer. */
const vinOf = (truck: number): string => `VIN${truck}MARK`;

/** Which truck has which of the fleet's devices, truck numbers and plates in a poll, and whether it is on the roster. */
const pollArbitrary = fc.record({
  devices: fc.array(fc.integer({ min: 0, max: TRUCKS - 1 }), { minLength: TRUCKS, maxLength: TRUCKS }),
  numbers: fc.array(fc.integer({ min: 0, max: TRUCKS - 1 }), { minLength: TRUCKS, maxLength: TRUCKS }),
  isTwice: fc.boolean(),
  isListed: fc.array(fc.boolean(), { minLength: TRUCKS, maxLength: TRUCKS }),
});

beforeEach(() => vi.useFakeTimers({ now: START_MS }));
afterEach(() => vi.useRealTimers());

it('no answer to a viewer of some trucks names or counts another, whatever device or number moves between them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pollArbitrary, { minLength: POLLS, maxLength: POLLS }), async (polls) => {
      vi.setSystemTime(START_MS);
      const { provider, feeds, feed } = setUpFeed();
      let poll = polls[0]!;
      provider.units = async () => {
        const records = Array.from({ length: TRUCKS }, (_, truck) => truck)
          .filter((truck) => truck < SEEN || poll.isListed[truck])
          .map((truck) => ({
            ...unitAt(vinOf(truck), minutesPassed(), truck * 40_000),
            identity: identityOf(vinOf(truck), {
              deviceId: `device-${poll.devices[truck]}`,
              truckNumber: `number-${poll.numbers[truck]}`,
            }),
          }));
        const again = { ...records[0]!, identity: { ...records[0]!.identity, deviceId: `other-${TRUCKS}` } };
        const notes = { dropped: () => undefined, repaired: () => undefined } as never;
        return mergeDuplicates(poll.isTwice ? [...records, again] : records, Date.now(), notes);
      };
      provider.vins = async () => Array.from({ length: 37 }, (_, i) => `ROSTER${i}`);
      const limited = new LimitedFeeds({
        readUnits: async () => new Set([vinOf(0), vinOf(1)]),
        clock: clockOf(Date.now),
      }).limit(feed, '9000001', ['flatbeds']);
      const answers: string[] = [];
      for (poll of polls) {
        const { body } = await limited.answer(null, 'identity');
        answers.push(
          JSON.stringify(fromLiveBytes(body!), (_, value) => (ArrayBuffer.isView(value) ? null : value)),
        );
        for (const key of [vinOf(0), vinOf(1)]) answers.push(JSON.stringify(await limited.detail(key)));
        for (let truck = SEEN; truck < TRUCKS; truck++) expect(await limited.detail(vinOf(truck))).toBeNull();
        // Longer than it takes to raise a flag.
        await watchFor(feed, 7 * MINUTE_MS);
      }
      await feeds.close();
      const text = answers.join('\n');
      expect(text).toContain(vinOf(0));
      for (let truck = SEEN; truck < TRUCKS; truck++) expect(text).not.toContain(vinOf(truck));
      expect(text).not.toMatch(/roster of|also as|other-|ROSTER/);
    }),
    { numRuns: IS_LONG ? 10 : 2 },
  );
});
