import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FleetRows } from '@/lib/wire/fleet';
import { recordPolls, type RecordedPoll } from '@/testing/alerts/last-minutes';
import { IS_LONG } from '@/testing/long';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet } from '@/testing/view/fleet';
import { followUnits, pickRow, toHorizonMs, type EndWatch } from './held-back';
import { toPollStep } from './poll-step';
import type { SiteVisit } from './site';
import { SiteTracker } from './site-tracker';
import { MINUTE_MS } from '@/lib/base/time';

const YARD = siteOf(1, 0);
/** Its edge is within the margin of the first one. */
const NEXT = siteOf(2, 450);
const SITES = [YARD, NEXT];

/** For some polls a truck is so far north of the first site, and reports with each of them, with none, or late. */
const spellArb = fc.record({
  // Inside, just inside, at the edge, just beyond the margin, in the other site, near, and far away.
  northM: fc.constantFrom(0, 190, 230, 260, 290, 450, 900, 9000),
  reports: fc.constantFrom('each', 'each', 'each', 'none', 'late', 'repeated'),
  doubt: fc.constantFrom('none', 'none', 'none', 'none', 'flag', 'coarse'),
  apartS: fc.constantFrom(10, 20, 35, 60, 150, 310),
  polls: fc.integer({ min: 1, max: 6 }),
  isFailing: fc.constantFrom(false, false, false, false, false, true),
});
type Spell = typeof spellArb extends fc.Arbitrary<infer T> ? T : never;

const COARSE_M = 400;
/** What is read of a recording has all that may be in progress, also where its provider fails. */
const READ_MS = 24 * 60 * MINUTE_MS;

const toPolls = (spells: readonly Spell[]): RecordedPoll[] => {
  let seenMs = START_MS;
  let shown = fixedAt('A', { min: 0, northM: 9000 });
  const polls: RecordedPoll[] = [{ seenMs, rows: createTestFleet([shown]) }];
  for (const { northM, reports, doubt, apartS, polls: count, isFailing } of spells) {
    for (let i = 0; i < count; i++) {
      seenMs += apartS * 1000;
      const min = (seenMs - START_MS) / MINUTE_MS;
      if (isFailing && i < 2) {
        polls.push({ seenMs, rows: null });
        continue;
      }
      // A fix that comes late is older than the newest one, or at least older than its poll.
      const fixMin =
        reports === 'late'
          ? min - 1.5
          : reports === 'repeated'
            ? (shown.fixAtS! * 1000 - START_MS) / MINUTE_MS
            : min - 0.05;
      if (reports !== 'none')
        shown = fixedAt('A', {
          ...{ min: fixMin, northM },
          flags: doubt === 'flag' ? ['impossibleJump'] : [],
          coarseM: doubt === 'coarse' ? COARSE_M : 0,
        });
      polls.push({ seenMs, rows: createTestFleet([shown]) });
    }
  }
  return polls;
};

interface Judged {
  /** The visits as they are recorded after each poll. */
  visits: SiteVisit[][];
}

/** What the tracker of the whole fleet finds, poll by poll. */
const judge = (polls: readonly RecordedPoll[]): Judged => {
  const tracker = new SiteTracker();
  tracker.configure(SITES);
  let before: FleetRows | null = null;
  const recorded = new Map<string, SiteVisit>();
  return {
    visits: polls.map(({ seenMs, rows }) => {
      if (rows) {
        for (const { visit } of tracker.observe(toPollStep(before, rows, seenMs)))
          recorded.set(`${visit.siteId} ${visit.arrivedMs}`, visit);
        before = rows;
      }
      return [...recorded.values()];
    }),
  };
};

/** The fix that is shown after so many polls, and no later one in any poll after an end was known. */
const showAfter = (
  polls: readonly RecordedPoll[],
  visits: readonly SiteVisit[],
  watch: Omit<EndWatch, 'visits'>,
) => {
  const followed = followUnits(recordPolls(polls, [], READ_MS), SITES);
  const horizonMs = toHorizonMs([{ ...watch, visits }], followed);
  const momentMs = polls.at(-1)!.seenMs;
  const sites = watch.departure ? [...watch.arrivals, watch.departure] : watch.arrivals;
  const row = pickRow(followed.rows.get('A') ?? [], {
    fromMs: 0,
    toMs: momentMs,
    horizonMs,
    momentMs,
    sites,
  });
  return { fixMs: row?.position.fixMs ?? null, horizonMs };
};

const requireNothingAfter = (
  spells: readonly Spell[],
  watch: Omit<EndWatch, 'visits'>,
  endOf: (visits: readonly SiteVisit[]) => number | null,
): void => {
  const polls = toPolls(spells);
  const { visits } = judge(polls);
  const ended = visits.findIndex((each) => endOf(each) !== null);
  const until = ended < 0 ? polls.length : ended;
  const endMs = ended < 0 ? Infinity : endOf(visits[ended]!)!;
  for (let count = 1; count <= until; count++) {
    const { fixMs } = showAfter(polls.slice(0, count), visits[count - 1]!, watch);
    if (fixMs !== null) expect(fixMs, `after ${count} polls of ${until}`).toBeLessThanOrEqual(endMs);
  }
};

const ARRIVAL = { unit: 'A', untilMs: null, arrivals: SITES, departure: null };
const DEPARTURE = { unit: 'A', untilMs: null, arrivals: [NEXT], departure: YARD };
const numRuns = IS_LONG ? 1500 : 15;
const spellsArb = fc.array(spellArb, { minLength: 2, maxLength: 10 });

it('no fix is shown that is later than the arrival that ends it', () => {
  fc.assert(
    fc.property(spellsArb, (spells) =>
      requireNothingAfter(spells, ARRIVAL, (visits) =>
        visits.length === 0 ? null : Math.min(...visits.map(({ arrivedMs }) => arrivedMs)),
      ),
    ),
    { numRuns },
  );
});

it('no fix is shown that is later than the departure that ends it, or the arrival at a later stop', () => {
  fc.assert(
    fc.property(spellsArb, (spells) =>
      requireNothingAfter(spells, DEPARTURE, (visits) => {
        const ends = visits.flatMap(({ siteId, arrivedMs, leftMs }) =>
          siteId === NEXT.id ? arrivedMs : (leftMs ?? []),
        );
        return ends.length === 0 ? null : Math.min(...ends);
      }),
    ),
    { numRuns },
  );
});

it('an older fix inside, which a server shows that has just started, shows nothing that was seen after its departure', () => {
  const spell: Spell = {
    ...{ northM: 0, reports: 'each', doubt: 'none' },
    ...{ apartS: 60, polls: 1, isFailing: false },
  };
  const spells: Spell[] = [
    { ...spell, polls: 3 },
    { ...spell, northM: 230 },
    { ...spell, northM: 290 },
    { ...spell, reports: 'late' },
    { ...spell, northM: 900, polls: 2 },
  ];
  const leftMs = START_MS + 2.95 * MINUTE_MS;
  requireNothingAfter(spells, DEPARTURE, (visits) => {
    const [visit] = visits;
    if (visit?.leftMs != null) expect(visit.leftMs).toBe(leftMs);
    return visit?.leftMs ?? null;
  });
  expect(judge(toPolls(spells)).visits.at(-1)).toMatchObject([{ leftMs }]);
});

it('a truck that drives past is shown where it is a moment later', () => {
  fc.assert(
    fc.property(spellsArb, (spells) => {
      const past: Spell = {
        northM: 9000,
        reports: 'each',
        doubt: 'none',
        apartS: 60,
        polls: 2,
        isFailing: false,
      };
      const polls = toPolls([...spells, past]);
      const visits = judge(polls).visits.at(-1)!;
      const { fixMs, horizonMs } = showAfter(polls, visits, ARRIVAL);
      expect(horizonMs).toBe(Infinity);
      expect(fixMs).toBe(Math.floor(polls.at(-1)!.seenMs / 1000 - 3) * 1000);
    }),
    { numRuns },
  );
});
