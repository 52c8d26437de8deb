import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { distanceM } from '@/lib/geo/geodesy';
import type { Way } from '@/lib/arrivals/drives';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet } from '@/testing/view/fleet';
import type { RouteQuery } from './load-routes';
import { FleetWatch } from './fleet-watch';
import type { LoadChange, WatchedLoad } from './load-watch';

// A poll that takes long searches no roads: here none does.
beforeAll(() => void vi.spyOn(performance, 'now').mockReturnValue(0));
afterAll(() => void vi.restoreAllMocks());

const STOP_M = 150_000;
const SITE = siteOf(1, STOP_M);
const PLACE = SITE.shape.type === 'circle' ? SITE.shape : { lat: 0, lng: 0 };
const UNITS = ['A', 'B', 'C'];
const LOADS = UNITS.map((unit, id): WatchedLoad => ({
  id,
  stops: [{ siteId: 1, kind: 'delivery', appointment: { fromMs: START_MS, toMs: START_MS + 2 * HOUR_MS } }],
  places: [PLACE],
  trucks: [{ unit, fromMs: START_MS - HOUR_MS, toMs: null }],
  ...{ endedMs: null, visits: [], shown: [], known: null },
}));

/** What a truck does until the next poll, and for how long a poll is away. */
const step = fc.record({
  min: fc.integer({ min: 1, max: 20 }),
  km: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: UNITS.length, maxLength: UNITS.length }),
  isSilent: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** How an engine answers what a poll asked: nothing, or a way or none for each query. */
type Answer = ((query: RouteQuery, i: number) => Way | null) | null;

const drive = (
  steps: readonly Step[],
  { isRouted, answers }: { isRouted: boolean; answers: readonly Answer[] },
) => {
  const watch = new FleetWatch({ isRouted });
  watch.configure({ sites: [SITE], rules: [], tags: {}, loads: LOADS });
  let minutes = 0;
  const norths = UNITS.map(() => 0);
  const fixMinutes = UNITS.map(() => 0);
  const changes: (readonly LoadChange[])[] = [];
  let asked = 0;
  steps.forEach(({ min, km, isSilent }, poll) => {
    minutes += min;
    const units = UNITS.map((unit, i) => {
      if (!isSilent) [norths[i], fixMinutes[i]] = [norths[i]! + km[i]! * 1000, minutes];
      return fixedAt(unit, {
        min: fixMinutes[i]!,
        northM: norths[i]!,
        status: km[i] === 0 ? 'stopped' : 'moving',
      });
    });
    const { loads = [] } = watch.observe(createTestFleet(units), {
      seenMs: START_MS + minutes * MINUTE_MS,
      failure: null,
    });
    changes.push(loads);
    for (let queries = watch.takeRouteQueries(); queries.length > 0; queries = watch.takeRouteQueries()) {
      asked += queries.length;
      const answer = answers[poll % answers.length] ?? null;
      if (answer !== null) watch.learnRoutes(queries, queries.map(answer));
    }
  });
  return { changes, asked };
};

const steps = fc.array(step, { minLength: 1, maxLength: 15 });
const dead = fc.array(
  fc.constantFrom<Answer>(null, () => null),
  { minLength: 1, maxLength: 4 },
);

it('has the windows, verdicts and grades of a fleet without an engine where the engine is dead', () => {
  let asked = 0;
  fc.assert(
    fc.property(steps, dead, (driven, answers) => {
      const routed = drive(driven, { isRouted: true, answers });
      asked += routed.asked;
      expect(routed.changes).toEqual(drive(driven, { isRouted: false, answers: [] }).changes);
    }),
    { numRuns: 12 },
  );
  expect(asked).toBeGreaterThan(20);
});

it('has windows that begin before they end and not before their fix, whatever an engine says and when', () => {
  const way = fc.record({
    distM: fc.integer({ min: 0, max: 5_000_000 }),
    driveMs: fc.integer({ min: 0, max: 80 * HOUR_MS }),
  });
  const given = fc.array(fc.option(way, { nil: null }), { minLength: 1, maxLength: 6 });
  const answer = fc.oneof(
    fc.constant(null),
    given.map(
      (ways): Answer =>
        (_, i) =>
          ways[i % ways.length]!,
    ),
  );
  let byEngine = 0;
  fc.assert(
    fc.property(steps, fc.array(answer, { minLength: 1, maxLength: 5 }), (driven, answers) => {
      for (const { window } of drive(driven, { isRouted: true, answers }).changes.flat()) {
        if (window === null) continue;
        expect(window.fromMs).toBeGreaterThanOrEqual(window.fixAtMs);
        expect(window.toMs).toBeGreaterThan(window.fromMs);
        expect(window.fixAtMs).toBeLessThanOrEqual(window.shownMs);
        if (window.by === 'engine') byEngine += 1;
      }
    }),
    { numRuns: 12 },
  );
  expect(byEngine).toBeGreaterThan(20);
});

it('stands on an engine from the second poll on, and does not jump to other ways while it is asked again', () => {
  const steps = Array.from({ length: 30 }, () => ({ min: 1, km: [1, 2, 0], isSilent: false }));
  const answers: Answer[] = [
    ({ from }) => ({ distM: distanceM(from, PLACE) * 1.1, driveMs: distanceM(from, PLACE) * 50 }),
  ];
  const { changes } = drive(steps, { isRouted: true, answers });
  const ways = UNITS.map((_, id) =>
    changes.flatMap((poll, i) =>
      poll.flatMap(({ loadId, window }) => (loadId === id && i > 0 ? [window!.by] : [])),
    ),
  );
  for (const by of ways) expect(new Set(by)).toEqual(new Set(['engine']));
});

it('reports the first window of an engine with the next poll, however soon that comes', () => {
  const steps = Array.from({ length: 2 }, () => ({ min: 0.2, km: [0, 0, 0], isSilent: false }));
  const answers: Answer[] = [() => ({ distM: 200_000, driveMs: 2 * HOUR_MS })];
  const [, second] = drive(steps, { isRouted: true, answers }).changes;
  expect(second!.map(({ window }) => window!.by)).toEqual(['engine', 'engine', 'engine']);
});

it('falls back to other ways once an engine does not answer for two minutes, or has none', () => {
  const steps = Array.from({ length: 12 }, () => ({ min: 1, km: [2, 2, 2], isSilent: false }));
  const good: Answer = () => ({ distM: 200_000, driveMs: 2 * HOUR_MS });
  for (const late of [null, () => null]) {
    const answers = steps.map((_, i): Answer => (i < 4 ? good : late));
    const { changes } = drive(steps, { isRouted: true, answers });
    const byPoll = changes.map((poll) => poll.find(({ loadId }) => loadId === 0)?.window?.by);
    expect(byPoll[4]).toBe('engine');
    expect(byPoll.at(-1)).toBe('line');
  }
});
