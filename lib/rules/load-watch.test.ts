import { describe, expect, it } from 'vitest';
import { Arrivals } from '@/lib/arrivals/arrivals';
import { RESTED, drive } from '@/lib/arrivals/duty';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import { FleetWatch } from './fleet-watch';
import {
  LoadWatch,
  keepShown,
  toGrades,
  type LoadChange,
  type LoadWindow,
  type WatchedLoad,
} from './load-watch';
import { toPollStep } from './poll-step';

/** Stops a hundred kilometers apart on a meridian. */
const SITES = [0, 1, 2].map((i) => siteOf(i + 1, i * 100_000));
const TRUCK_M_PER_MIN = 1500;

const loadOf = (more: Partial<WatchedLoad> = {}): WatchedLoad => ({
  id: 7,
  stops: [
    { siteId: 1, kind: 'pickup', appointment: null },
    { siteId: 2, kind: 'delivery', appointment: null },
  ],
  places: SITES.slice(0, 2).map(({ shape }) => (shape.type === 'circle' ? shape : { lat: 0, lng: 0 })),
  trucks: [{ unit: 'A', fromMs: START_MS - HOUR_MS, toMs: null }],
  endedMs: null,
  visits: [],
  shown: [],
  known: null,
  ...more,
});

const watchOf = (loads: readonly WatchedLoad[]) => {
  const watch = new FleetWatch();
  const config = { sites: SITES, rules: [], tags: {}, loads };
  watch.configure(config);
  const states: string[] = [];
  const changes: LoadChange[] = [];
  const poll = (min: number, units: UnitFields[]): readonly LoadChange[] => {
    const { loads: found = [] } = watch.observe(createTestFleet(units), {
      seenMs: START_MS + min * MINUTE_MS,
      failure: null,
    });
    for (const change of found) {
      const text = `${change.state} ${change.verdict}`;
      if (states.at(-1) !== text) states.push(text);
    }
    changes.push(...found);
    return found;
  };
  /** A truck that drives north from one place to another, with a poll each minute; the minute in which it is there. */
  const drive = (unit: string, fromMin: number, fromM: number, toM: number): number => {
    let min = fromMin;
    for (let northM = fromM; northM < toM; northM += TRUCK_M_PER_MIN) {
      poll(min, [fixedAt(unit, { min, northM, status: 'moving' })]);
      min += 1;
    }
    poll(min, [fixedAt(unit, { min, northM: toM, status: 'stopped' })]);
    return min;
  };
  const stand = (unit: string, fromMin: number, forMin: number, northM: number): number => {
    for (let min = fromMin; min < fromMin + forMin; min += 1)
      poll(min, [fixedAt(unit, { min, northM, status: 'stopped' })]);
    return fromMin + forMin;
  };
  return { watch, config, states, changes, poll, drive, stand };
};

describe('LoadWatch', () => {
  it('follows a load from its pickup to its end, with each event once and graded windows', () => {
    const { states, changes, drive, stand } = watchOf([loadOf()]);
    let min = drive('A', 0, -20_000, 0);
    min = stand('A', min, 30, 0);
    min = drive('A', min, 0, 100_000);
    min = stand('A', min, 20, 100_000);
    drive('A', min, 100_000, 120_000);
    expect(states).toEqual([
      'toPickup none',
      'atPickup none',
      'toDelivery none',
      'atDelivery none',
      'delivered none',
    ]);
    const events = changes.flatMap((change) => change.events);
    expect(events.map(({ kind, position }) => `${kind} ${position}`)).toEqual([
      ...['arrived 0', 'left 0', 'arrived 1', 'left 1', 'ended 1'],
    ]);
    expect(events.map(({ atMs }) => atMs)).toEqual(events.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
    const grades = changes.flatMap((change) => change.grades);
    expect(grades.map(({ position, leadMs }) => `${position} ${leadMs / MINUTE_MS}`)).toEqual([
      '0 15',
      '1 15',
      '1 60',
    ]);
    for (const { fromMs, toMs, arrivedMs } of grades) {
      expect(arrivedMs).toBeGreaterThan(fromMs);
      expect(arrivedMs).toBeLessThan(toMs);
    }
  });

  it('is late before its appointment, and in time again once the truck catches up', () => {
    const appointment = { fromMs: START_MS, toMs: START_MS + 75 * MINUTE_MS };
    const { poll, states } = watchOf([
      loadOf({ stops: [{ siteId: 2, kind: 'delivery', appointment }], places: [loadOf().places[1]!] }),
    ]);
    poll(0, [fixedAt('A', { min: 0, northM: -100_000, status: 'stopped' })]);
    poll(20, [fixedAt('A', { min: 20, northM: 30_000, status: 'moving' })]);
    poll(40, [fixedAt('A', { min: 40, northM: 85_000, status: 'moving' })]);
    expect(states).toEqual(['toDelivery late', 'toDelivery atRisk', 'toDelivery onTime']);
  });

  it('estimates by what the fleet has learned and by the hours of its drivers once it knows them', () => {
    const { watch, poll } = watchOf([
      loadOf({ stops: [{ siteId: 2, kind: 'delivery', appointment: null }], places: [loadOf().places[1]!] }),
    ]);
    const moving = (min: number, northM: number): UnitFields[] => [
      fixedAt('A', { min, northM, status: 'moving' }),
    ];
    const before = poll(0, moving(0, 10_000))[0]!.window!;
    expect(before.by).toBe('line');
    expect(watch.lacksOfArrivals()).toEqual({ throughMs: null, hasGrades: false, units: ['A'] });

    const learned = new Arrivals();
    const { latE5, lngE5 } = createTestFleet([...Array(91)].map((_, i) => moving(i, i * 1100)[0]!)).columns;
    const fixes = [...latE5].map((lat, i) => ({
      ...{ lat: lat / 1e5, lng: lngE5[i]! / 1e5 },
      fixAtMs: START_MS + i * MINUTE_MS,
    }));
    learned.learnArrival('2', fixes);
    const duty = drive(RESTED, 10.5 * HOUR_MS);
    const hours = new Map([['A', { duty, stoodMs: 0, last: { ...fixes[9]!, fixAtMs: START_MS } }]]);
    const start = { learned: { throughMs: START_MS, packed: learned.pack() }, grades: [], hours };
    watch.learnArrivals(start, { units: ['A'] });
    expect(watch.lacksOfArrivals()).toEqual({ throughMs: START_MS, hasGrades: true, units: [] });

    const after = poll(1, moving(1, 11_000)).at(-1)?.window ?? poll(2, moving(2, 12_000)).at(-1)!.window!;
    expect(after.by).toBe('usual');
    // A rest of ten hours is due before it arrives.
    expect(after.expectedMs / HOUR_MS).toBeGreaterThan(11);
  });

  it('has one stay where the recording shows that the truck came before polls saw it', () => {
    const { watch, config, states, poll, stand, drive } = watchOf([]);
    const min = stand('A', 0, 5, 0);
    watch.configure({ ...config, loads: [loadOf()] });
    poll(min, [fixedAt('A', { min, northM: 0, status: 'stopped' })]);
    const seen = {
      siteId: 1,
      unit: 'A',
      arrivedAfterMs: null,
      arrivedMs: START_MS,
      leftMs: null,
      leftByMs: null,
    };
    watch.configure({ ...config, loads: [loadOf({ visits: [seen] })] });
    const visit = { ...seen, arrivedAfterMs: START_MS - HOUR_MS, arrivedMs: START_MS - 40 * MINUTE_MS };
    const loads = [loadOf({ visits: [visit] })];
    watch.start({ config: { ...config, loads }, visits: [visit], alerts: [] });
    poll(min + 1, [fixedAt('A', { min: min + 1, northM: 0, status: 'stopped' })]);
    drive('A', min + 2, 3000, 30_000);
    expect(states).toEqual(['toPickup none', 'atPickup none', 'toDelivery none']);
  });

  it('says why there is no window', () => {
    const { poll } = watchOf([loadOf(), loadOf({ id: 8, trucks: [] })]);
    const reasonsOf = (found: readonly LoadChange[]) => found.map(({ noWindow }) => noWindow);
    expect(reasonsOf(poll(0, []))).toEqual(['notSeen', 'noTruck']);
    const { poll: pollLater } = watchOf([loadOf()]);
    const silent = fixedAt('A', { min: 0, northM: -50_000, status: 'silent' });
    expect(reasonsOf(pollLater(1, [silent]))).toEqual([null]);
    expect(pollLater(300, [silent]).map(({ window, noWindow }) => [window, noWindow])).toEqual([
      [null, 'silent'],
    ]);
  });

  it('goes on with another truck, and does not repeat what is recorded', () => {
    const { watch, config, changes, poll, drive, stand } = watchOf([loadOf()]);
    let min = stand('A', 0, 10, 0);
    min = drive('A', min, 0, 50_000);
    const visits = [
      {
        siteId: 1,
        unit: 'A',
        arrivedAfterMs: null,
        arrivedMs: START_MS,
        leftMs: START_MS + 9 * MINUTE_MS,
        leftByMs: null,
      },
    ];
    const atMs = START_MS + min * MINUTE_MS;
    const trucks = [
      { unit: 'A', fromMs: START_MS - HOUR_MS, toMs: atMs },
      { unit: 'B', fromMs: atMs, toMs: null },
    ];
    changes.length = 0;
    watch.configure({
      ...config,
      loads: [loadOf({ trucks, visits, known: { state: 'toDelivery', next: 1, verdict: 'none' } })],
    });
    // A poll that did not know of it yet may have written the window of the truck before, right after the change.
    const unitsOf = (found: readonly LoadChange[]) => found.map(({ window }) => window?.unit);
    const beforeMin = min - 0.9;
    expect(
      unitsOf(poll(beforeMin, [fixedAt('B', { min: beforeMin, northM: 49_000, status: 'moving' })])),
    ).toEqual(['B']);
    min = drive('B', min, 50_000, 100_000);
    stand('B', min, 5, 100_000);
    expect(changes.flatMap(({ events }) => events.map(({ kind, unit }) => `${kind} ${unit}`))).toEqual([
      'arrived B',
    ]);
  });

  it('estimates for no longer than it may, and the loads that wait longest first with the next poll', () => {
    let spentMs = 0;
    let stepMs = 1;
    // The time that passes until the next look at the clock.
    const watch = new LoadWatch({ spentMs: () => (spentMs += stepMs) });
    const toStop = { stops: [loadOf().stops[1]!], places: [loadOf().places[1]!] };
    const many = Array.from({ length: 100 }, (_, i) =>
      loadOf({ ...toStop, id: i, trucks: [{ unit: `T${i}`, fromMs: START_MS, toMs: null }] }),
    );
    watch.configure(many);
    const rows = createTestFleet(
      many.map((_, i) => fixedAt(`T${i}`, { min: 0, northM: -30_000 - i * 10, status: 'moving' })),
    );
    const estimated: number[] = [];
    let most = 0;
    for (let poll = 0; poll < 12; poll += 1) {
      const step = toPollStep(poll === 0 ? null : rows, rows, START_MS + poll * 4000);
      const found = watch.observe(step, []).filter(({ window }) => window !== null);
      estimated.push(...found.map(({ loadId }) => loadId));
      most = Math.max(most, found.length);
    }
    expect(estimated).toEqual(many.map(({ id }) => id));
    expect(most).toBeLessThan(40);
    // However busy the processor is, a small fleet waits for none.
    stepMs = 1000;
    watch.configure([]);
    watch.configure(many.slice(0, 20));
    const step = toPollStep(null, rows, START_MS + 60_000);
    expect(watch.observe(step, []).filter(({ window }) => window !== null)).toHaveLength(20);
  });
});

const windowAt = (shownMs: number): LoadWindow => ({
  ...{
    by: 'line',
    isStanding: false,
    stops: 0,
    expectedMs: 1,
    distM: 1,
    fixAtMs: shownMs,
    fromMs: 0,
    toMs: 1,
  },
  ...{ grades: 0, shownMs, unit: 'A', position: 0 },
});

it('keeps few windows, and one near each lead time', () => {
  let shown: readonly LoadWindow[] = [];
  const arrivedMs = START_MS + 10 * HOUR_MS;
  for (let atMs = START_MS; atMs < arrivedMs; atMs += 10_000) shown = keepShown(shown, windowAt(atMs));
  expect(shown.length).toBeLessThan(90);
  const grades = toGrades(shown, arrivedMs);
  expect(grades.map(({ leadMs }) => leadMs / MINUTE_MS)).toEqual([15, 60, 120, 240, 480]);
  for (const { leadMs, shownMs } of grades)
    expect(Math.abs(arrivedMs - leadMs - shownMs)).toBeLessThan(leadMs * 0.15);
});
