import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IS_LONG } from '@/testing/long';
import { setUpOwnRecording, toOwnVehicle } from '@/testing/service/own-recording';
import { OWN_CARRIER, toFix, toVin } from '@/testing/service/vehicles';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

const { usdot } = OWN_CARRIER;
const START = 495_000 * HOUR_MS;
const VEHICLES = [1, 2, 3];

const own = setUpOwnRecording(START);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      n: fc.constantFrom(...VEHICLES),
      /** Minutes ago, in any order and more than once; the newest is one of now, because a clock that is slow is another matter. */
      ages: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 0, maxLength: 12 }),
      newest: fc.integer({ min: 0, max: 5 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('poll' as const), afterS: fc.integer({ min: 5, max: 1200 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('archive' as const), afterH: fc.integer({ min: 0, max: 30 }) }),
  },
);

it.runIf(IS_LONG)(
  'each stored fix ends in the trail once, however reports, polls, restarts and archiving follow',
  async () => {
    let day = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        // A time of its own for each run, so that they share a database.
        own.nowMs = START + 40 * 24 * HOUR_MS * ++day;
        const fromMs = own.nowMs - 24 * HOUR_MS;
        await own.store.vehicles.upsertMany(VEHICLES.map((n) => toOwnVehicle(n)));
        const expected = new Map(VEHICLES.map((n) => [n, new Set<number>()]));
        for (const each of steps) {
          if (each.kind === 'report') {
            const times = [...each.ages, each.newest].map((minutes) => own.nowMs - minutes * MINUTE_MS);
            await own.store.fixes.record(
              usdot,
              times.map((atMs) => toFix(each.n, atMs)),
            );
            for (const atMs of times) expected.get(each.n)!.add(atMs);
          } else if (each.kind === 'poll') {
            own.nowMs += each.afterS * 1000;
            await own.poll();
          } else if (each.kind === 'restart') await own.restart();
          else {
            own.nowMs += each.afterH * HOUR_MS;
            expect(await own.held.archive(own.nowMs)).toEqual([]);
          }
        }
        // After such a time an answer is quarantined until it repeats.
        for (let poll = 0; poll < 4; poll++) {
          own.nowMs += MINUTE_MS;
          await own.poll();
        }
        for (const n of VEHICLES) {
          const trail = await own.held.reader.readTrail(usdot, toVin(n), fromMs, own.nowMs + HOUR_MS);
          expect(trail.map(({ fixAtMs }) => fixAtMs)).toEqual([...expected.get(n)!].sort((a, b) => a - b));
        }
      }),
      { numRuns: 40, endOnFailure: true },
    );
  },
);
