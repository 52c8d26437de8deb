import fc from 'fast-check';
import { expect, it } from 'vitest';
import { siteOf } from '@/testing/sites/watched-units';
import { learnFrom, overlap, type HeldVisit } from './late-visits';
import { RecordedVisits } from './recorded-visits';
import type { SiteVisit } from './site';

const MINUTE_MS = 60_000;
const SITE = siteOf(1, 0);
const DEGREES_PER_KM = 1 / 111.19508;

/** The visits that fixes show, also that which goes on. */
const toVisits = (fixes: readonly { atMin: number; km: number }[], endMin: number): SiteVisit[] => {
  const found = new RecordedVisits('A', [SITE]);
  for (const { atMin, km } of fixes)
    found.add(atMin * MINUTE_MS, Math.round((35 + km * DEGREES_PER_KM) * 1e5), -10_100_000);
  const open = found.listOpen(endMin * MINUTE_MS).map(({ visit }) => visit);
  return [...found.visits, ...open];
};

const plain = ({ siteId, unit, arrivedAfterMs, arrivedMs, leftMs, leftByMs }: SiteVisit) => ({
  ...{ siteId, unit, arrivedAfterMs, arrivedMs, leftMs, leftByMs },
});

/** Stays and ways of a truck, with a fix each minute: a third of those of a stay lies between edge and margin. */
const trailArb = fc
  .array(fc.tuple(fc.integer({ min: 2, max: 20 }), fc.constantFrom(0, 0, 4)), { minLength: 2, maxLength: 8 })
  .map((legs) =>
    legs.flatMap(([minutes, km]) =>
      Array.from({ length: minutes }, (_, i) => (km === 0 && i % 3 === 1 ? 0.25 : km)),
    ),
  )
  .map((kms) => [5, ...kms].map((km, atMin) => ({ atMin, km })));

it('has the visits of the same fixes in order, whenever a device hands over those of a silence', () => {
  fc.assert(
    fc.property(
      trailArb,
      fc.array(fc.tuple(fc.nat({ max: 160 }), fc.integer({ min: 1, max: 60 })), {
        minLength: 1,
        maxLength: 3,
      }),
      (fixes, silences) => {
        const endMin = fixes.at(-1)!.atMin + 6;
        // Its newest fix is shown by a poll.
        const isHeld = ({ atMin }: { atMin: number }): boolean =>
          atMin > 0 &&
          atMin < fixes.length - 1 &&
          silences.some(([from, minutes]) => atMin >= from && atMin < from + minutes);
        const late = fixes.filter(isHeld);
        fc.pre(late.length > 0);
        const polled = toVisits(
          fixes.filter((fix) => !isHeld(fix)),
          endMin,
        ).map((visit): HeldVisit => ({ ...visit, origin: 'live' }));
        const range = { fromMs: late[0]!.atMin * MINUTE_MS, toMs: late.at(-1)!.atMin * MINUTE_MS };
        const truth = toVisits(fixes, endMin);
        // Whether it is still there, between edge and margin, is for polls to say.
        const isOpen = ({ leftMs }: SiteVisit): boolean => leftMs === null;
        fc.pre(truth.some(isOpen) === polled.some(isOpen));
        // A visit that polls judged stays one.
        fc.pre(polled.every((visit) => truth.some((each) => overlap(each, visit))));
        const learned = learnFrom(polled, truth, range);
        expect(learned.map(plain)).toEqual(truth.map(plain));
        // A repeated fix changes nothing.
        expect(learnFrom(learned, truth, range)).toEqual(learned);
      },
    ),
    { numRuns: 200 },
  );
});

it('leaves visits that no late fix is about', () => {
  const visit = {
    siteId: 1,
    unit: 'A',
    arrivedAfterMs: 1,
    arrivedMs: 2,
    leftMs: 9,
    leftByMs: 10,
    origin: 'live',
  };
  expect(learnFrom([visit], [{ ...visit, arrivedMs: 3, leftMs: 8 }], { fromMs: 5, toMs: 6 })).toEqual([
    visit,
  ]);
  expect(learnFrom([visit], [], { fromMs: 5, toMs: 6 })).toEqual([visit]);
});
