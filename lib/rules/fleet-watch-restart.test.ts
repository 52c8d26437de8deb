import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SiteVisit } from './site';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import type { FleetRows } from '@/lib/wire/fleet';
import type { Status } from '@/lib/motion/status';
import { recordPolls, type RecordedPoll } from '@/testing/alerts/last-minutes';
import { IS_LONG } from '@/testing/long';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet } from '@/testing/view/fleet';
import type { AlertChange, HeldAlert } from './engine/rule-state';
import { FleetWatch, type WatchConfig, type WatchStart, type Watched } from './fleet-watch';
import type { AlertCondition, AlertRule } from './alert-rule';
import { MINUTE_MS } from '@/lib/base/time';

const POLL_MS = 20_000;

const ruleOf = (id: number, condition: AlertCondition, coolDownMin: number): AlertRule => ({
  ...{ id, name: `Rule ${id}`, condition, units: { type: 'all' }, schedule: null },
  ...{ severity: 'info', coolDownMin, isEnabled: true, isOwn: false, madeBy: 'manager' },
});
const CONDITIONS: AlertCondition[] = [
  { kind: 'arrives', siteIds: null },
  { kind: 'leaves', siteIds: null },
  { kind: 'stays', siteIds: null, forMin: 3 },
  { kind: 'entersNoGo' },
  { kind: 'silent', forMin: 3 },
  { kind: 'late' },
  { kind: 'standsOutside', forMin: 2 },
  { kind: 'reportsAgain' },
  { kind: 'feedFails', forMin: 2 },
];
const CONFIG: WatchConfig = {
  // The second one touches the first one's margin.
  sites: [siteOf(1, 0), siteOf(2, 450, { kind: 'noGo' }), siteOf(3, 5000)],
  rules: CONDITIONS.flatMap((condition, i) => [
    ruleOf(2 * i, condition, 0),
    ruleOf(2 * i + 1, condition, 25),
  ]),
  tags: {},
};

/** A site that may be drawn while the fleet is watched, before one of the polls. */
const DRAWN = CONFIG.sites[0]!;
const BEFORE_DRAWN: WatchConfig = { ...CONFIG, sites: CONFIG.sites.filter((site) => site !== DRAWN) };
const NOT_DRAWN = Infinity;

/** For some polls a unit is so far north, has a status, and reports with each of them or with none. */
const spell = fc.record({
  // Inside, just inside, just outside, beyond the margin, at the other sites, and far away.
  northM: fc.constantFrom(0, 190, 230, 300, 450, 680, 5000, 9000),
  status: fc.constantFrom<Status>('moving', 'stopped', 'late', 'silent'),
  reports: fc.boolean(),
  polls: fc.integer({ min: 1, max: 14 }),
});
const script = fc.record({
  units: fc.array(fc.array(spell, { minLength: 8, maxLength: 14 }), { minLength: 2, maxLength: 2 }),
  failing: fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 12 })), {
    maxLength: 2,
  }),
});
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

/** What each poll shows; one unit reports with each, so that each is recorded. */
const toPolls = ({ units, failing }: Script): RecordedPoll[] => {
  const spells = units.map((each) =>
    each.flatMap(({ polls, ...rest }) =>
      Array.from({ length: polls }, (_, i) => ({ ...rest, isFirst: i === 0 })),
    ),
  );
  const count = Math.min(...spells.map(({ length }) => length));
  const shown = spells.map(() => fixedAt('', { min: 0, northM: 9000, sinceS: START_MS / 1000 }));
  return Array.from({ length: count }, (_, i) => {
    const min = (i * POLL_MS) / MINUTE_MS;
    const isFailing = failing.some(([from, length]) => i >= from && i < from + length);
    if (isFailing) return { seenMs: START_MS + i * POLL_MS, rows: null };
    spells.forEach((each, unit) => {
      const { northM, status, reports, isFirst } = each[i]!;
      const sinceS = isFirst ? START_MS / 1000 + min * 60 : shown[unit]!.sinceS!;
      shown[unit] = reports
        ? fixedAt('ABC'[unit]!, { min, northM, status, sinceS })
        : { ...shown[unit]!, key: 'ABC'[unit]!, status, sinceS };
    });
    const rows = createTestFleet([fixedAt('R', { min, northM: -9000 }), ...shown]);
    return { seenMs: START_MS + i * POLL_MS, rows };
  });
};

const observe = (watch: FleetWatch, { seenMs, rows }: RecordedPoll): Watched => {
  const copied = rows ?? createTestFleet([]);
  return watch.observe(copied, { seenMs, failure: rows === null ? 'timeout' : null });
};

/** What the database has after some polls. */
const toRecorded = (
  watched: readonly Watched[],
  polls: readonly RecordedPoll[],
  drawn: number,
): WatchStart => {
  const isDrawn = drawn < polls.length;
  const past = recordPolls(polls, isDrawn ? [{ id: DRAWN.id, atMs: polls[drawn]!.seenMs }] : []);
  const visits = new Map<string, SiteVisit>();
  for (const visit of watched.flatMap((each) => each.visits))
    visits.set(`${visit.unit} ${visit.siteId} ${visit.arrivedMs}`, visit);
  const alerts: HeldAlert[] = [];
  for (const change of watched.flatMap((each) => each.alerts)) {
    const { kind, ruleId, unit, atMs } = change;
    if (kind === 'opened') {
      const { siteId, sinceMs } = change.facts;
      alerts.push({ ruleId, unit, openedMs: atMs, closedMs: null, siteId, sinceMs });
    } else
      alerts.find(
        (each) => each.ruleId === ruleId && each.unit === unit && each.closedMs === null,
      )!.closedMs = atMs;
  }
  const before = polls.flatMap(({ seenMs, rows }) => (seenMs <= past.fromMs && rows ? [rows] : []));
  return {
    config: isDrawn || drawn === NOT_DRAWN ? CONFIG : BEFORE_DRAWN,
    past,
    visits: [...visits.values()]
      .filter(({ leftMs }) => leftMs === null || leftMs > past.fromMs)
      .map((visit) => ({ ...visit, fixes: toFixes(before, visit.unit) })),
    alerts,
  };
};

const toFixes = (before: readonly FleetRows[], unit: string) =>
  before.flatMap(({ identities, columns: { fixAtS, latE5, lngE5 } }) => {
    const row = identities.findIndex((identity) => identity?.key === unit);
    const [lat, lng] = [latE5[row]! * DEGREES_PER_E5, lngE5[row]! * DEGREES_PER_E5];
    return [{ fixAtMs: fixAtS[row]! * 1000, lat, lng }];
  });

const toText = (change: AlertChange): string => {
  // The recording has no time of the first poll that failed, only that of the last one before.
  const isOfUnit = change.kind === 'opened' && change.unit !== '';
  const facts = isOfUnit ? ` ${change.facts.siteId} ${change.facts.sinceMs}` : '';
  return `${(change.atMs - START_MS) / POLL_MS} ${change.kind} ${change.ruleId} ${change.unit}${facts}`;
};
const toVisitText = ({ unit, siteId, arrivedAfterMs, arrivedMs, leftMs, leftByMs }: SiteVisit): string =>
  [unit, siteId, arrivedAfterMs, arrivedMs, leftMs, leftByMs].join(' ');
/** In no order: those of one poll are written together. */
const say = ({ visits, alerts }: Watched) => ({
  visits: visits.map(toVisitText).sort(),
  alerts: alerts.map(toText).sort(),
});

const expectSame = (each: Script, cutAt: number, drawnAt: number | null): void => {
  const polls = toPolls(each);
  const cut = 1 + Math.floor(cutAt * (polls.length - 1));
  const drawn = drawnAt === null ? NOT_DRAWN : 1 + Math.floor(drawnAt * (polls.length - 1));
  const uncut = new FleetWatch();
  uncut.start({ config: drawnAt === null ? CONFIG : BEFORE_DRAWN, visits: [], alerts: [] });
  const observeAll = (watch: FleetWatch, from: number): Watched[] =>
    polls.slice(from).map((poll, i) => {
      if (from + i === drawn) watch.configure(CONFIG);
      return observe(watch, poll);
    });
  const watched = observeAll(uncut, 0);
  const again = new FleetWatch();
  again.start(toRecorded(watched.slice(0, cut), polls.slice(0, cut), drawn));
  expect(observeAll(again, cut).map(say)).toEqual(watched.slice(cut).map(say));
};
const share = fc.double({ min: 0, max: 1, noNaN: true });
const RUNS = { numRuns: IS_LONG ? 500 : 15 };

it('a restart after any poll changes neither a visit nor an alert of those that follow', () => {
  fc.assert(
    fc.property(script, share, (each, cutAt) => expectSame(each, cutAt, null)),
    RUNS,
  );
});

it('nor does it where a site was drawn shortly before, or is drawn after', () => {
  fc.assert(
    fc.property(script, share, share, (each, cutAt, drawnAt) => expectSame(each, cutAt, drawnAt)),
    RUNS,
  );
});
