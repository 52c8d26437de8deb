import { expect, it } from 'vitest';
import { judgeLoad, toVerdict, type StopVisit } from '@/lib/arrivals/load';
import { systemClock } from '@/lib/base/clock';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { FleetWatch } from '@/lib/rules/fleet-watch';
import type { LoadChange, WatchedLoad } from '@/lib/rules/load-watch';
import type { Site, SiteVisit } from '@/lib/rules/site';
import { createUnitsParser } from '@/lib/tracking/units-parser';
import { IS_LONG } from '@/testing/long';
import { createDemoPast } from './demo-past';
import { planLoads, toSampleNames, type KeptLoad } from './demo-loads';
import { DAY_SHIFT, listSampleRules } from './sample-data';
import { isResting, NOT_MOVING_MS, planSampleLoads, SAMPLE_NAMES, type SampleLoad } from './sample-loads';

const NOW_MS = Date.UTC(2026, 10, 17, 18, 30);
const HOURS = 48;
const UNITS = 400;

const pastAt = (nowMs: number) =>
  createDemoPast({
    ...{ units: UNITS, fromMs: nowMs - HOURS * HOUR_MS, toMs: nowMs, newestFromMs: nowMs - 2 * HOUR_MS },
    activeWindowMs: 30 * MINUTE_MS,
  });

it.each(Array.from({ length: 24 }, (_, i) => i))(
  'there are twelve loads, each in another state, whenever it starts: %i',
  (i) => {
    const nowMs = NOW_MS + i * 7 * HOUR_MS;
    const { fleet, fromMs } = pastAt(nowMs);
    const plan = planSampleLoads(fleet, { fromMs, nowMs });
    expect(plan.map(({ name }) => name)).toEqual(SAMPLE_NAMES);
    for (const { trucks, stops, endedMs = nowMs } of plan) {
      const times = [fromMs, ...trucks.map(({ atMs }) => atMs), endedMs];
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      // Its truck stands at each stop, for as long as the stop is planned to be one.
      for (const { stay } of stops) expect(stay.untilMs).toBeGreaterThan(stay.fromMs);
    }
    const vins = plan.flatMap(({ trucks }) => trucks.flatMap(({ vin }) => vin ?? []));
    expect(new Set(vins).size).toBe(vins.length);
  },
);

/** A demo whose loads are looked after, poll by poll, with the recording that finds visits again. */
const openDemo = (only?: readonly SampleLoad[]) => {
  const past = pastAt(NOW_MS);
  const places = new Map<string, Site>();
  const siteOf = ({ place, at }: SampleLoad['stops'][number]['stay']): Site => {
    const id = places.size + 1;
    const site = places.get(place) ?? {
      ...{ id, name: place, kind: 'customer', color: '#000000', notes: '', openingHours: null },
      ...{ marginM: 75, shape: { type: 'circle', ...at, radiusM: 400 }, isOfLoad: true },
    };
    places.set(place, site);
    return site;
  };
  for (const unit of past.fleet.vehicles.keys()) past.fleet.dockStaysOf(unit, NOW_MS).forEach(siteOf);
  const rules = listSampleRules([]).map((rule, index) => ({ ...rule, id: index + 1, madeBy: '' }));
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, past.usdot);
  const watch = new FleetWatch();
  const visits = new Map<string, SiteVisit>();
  const found = new Map<number, LoadChange>();
  const opened = new Set<string>();
  const loads: (WatchedLoad & { name: SampleLoad['name'] })[] = [];
  const configure = (): void =>
    watch.configure({
      ...{ sites: [...places.values()], tags: {}, rules },
      loads: loads
        .filter(({ id, endedMs }) => endedMs === null && found.get(id)?.state !== 'delivered')
        .map((load) => ({ ...load, visits: [...visits.values()] })),
    });
  const add = (planned: readonly SampleLoad[]): void => {
    for (const { name, stops, trucks, endedMs = null } of planned)
      loads.push({
        ...{ id: loads.length, reference: name, customer: '', endedMs, visits: [], shown: [], known: null },
        ...{ name, places: stops.map(({ stay: { at } }) => at) },
        stops: stops.map(({ kind, appointment, stay }) => ({ siteId: siteOf(stay).id, kind, appointment })),
        texts: stops.map(({ freeMin }) => ({
          name: '',
          free: freeMin === undefined ? null : { freeMin, countedFrom: 'appointment' },
        })),
        trucks: trucks.flatMap(({ vin, atMs }, i) =>
          vin === null ? [] : [{ unit: vin, fromMs: atMs, toMs: trucks[i + 1]?.atMs ?? null }],
        ),
      });
    configure();
  };
  const vins = only && new Set(only.flatMap(({ trucks }) => trucks.map(({ vin }) => vin)));
  const units = vins && past.fleet.vehicles.flatMap(({ vin }, unit) => (vins.has(vin) ? [unit] : []));
  const poll = (seenMs: number): void => {
    const parser = createUnitsParser(past.usdot, { ...systemClock, nowMs: () => seenMs });
    parser.take(past.readRecords(seenMs, units));
    tracker.observe(parser.end({ units: [] }).units, past.roster, seenMs);
    const shown = watch.observe(tracker.copyRows(), { seenMs, failure: null });
    for (const visit of shown.visits) visits.set(`${visit.siteId} ${visit.unit} ${visit.arrivedMs}`, visit);
    for (const change of shown.loads ?? []) found.set(change.loadId, change);
    for (const alert of shown.alerts)
      if (alert.kind === 'opened' && alert.facts.load)
        opened.add(`${alert.facts.condition.kind} ${alert.facts.load.reference}`);
  };
  configure();
  return { past, loads, places, visits, found, opened, add, poll, configure };
};

it('each is in its state when the demo starts, by what its trucks did', () => {
  const { fleet, fromMs, stepMsAt } = pastAt(NOW_MS);
  const plan = planSampleLoads(fleet, { fromMs, nowMs: NOW_MS });
  const { loads, visits, found, opened, add, poll } = openDemo(plan);
  const judgedFromMs = NOW_MS - 80 * MINUTE_MS;
  for (let seenMs = fromMs; seenMs < judgedFromMs; seenMs += stepMsAt(seenMs)) poll(seenMs);
  add(plan);
  for (let seenMs = judgedFromMs; seenMs <= NOW_MS; seenMs += 2 * MINUTE_MS) poll(seenMs);
  const said = Object.fromEntries(
    loads.flatMap(({ id, name }) =>
      name === 'ended by hand' ? [] : [[name, `${found.get(id)?.state} ${found.get(id)?.verdict}`]],
    ),
  );
  expect(said).toEqual({
    'swapped trucks': 'toDelivery onTime',
    'silent truck': 'toPickup unknown',
    'at delivery': 'atDelivery onTime',
    'at pickup': 'atPickup onTime',
    'not moving': 'toDelivery onTime',
    late: 'toDelivery late',
    'at risk': 'toDelivery atRisk',
    'in transit': 'toDelivery onTime',
    delivered: 'delivered none',
    'on the way to pickup': 'toPickup onTime',
    'no truck': 'noTruck unknown',
  });
  const idOf = (name: SampleLoad['name']): number => loads.find((load) => load.name === name)!.id;
  expect(found.get(idOf('silent truck'))!.noWindow).toMatch(/^(silent|notSeen)$/);
  const { stops } = judgeLoad(loads[idOf('at delivery')]!, [...visits.values()]);
  expect(stops.map(({ isPassed }) => isPassed)).toEqual([false, true, false]);
  for (const alert of ['freeTimeEnds at delivery', 'loadNotMoving not moving', 'loadWillBeLate late'])
    expect(opened).toContain(alert);
});

const [WATCHED_MS, STEP_MS] = [48 * HOUR_MS, 10 * MINUTE_MS];
/** A state that is missing is to be seen again within this time. */
const MISSING_MS = HOUR_MS;

it.runIf(IS_LONG)(
  'a screen that is left open for two days shows each state, as new loads come and old ones end',
  () => {
    const { past, loads, places, visits, found, add, poll, configure } = openDemo();
    const { fleet, fromMs } = past;
    const vinOf = new Map(fleet.vehicles.map(({ vin }, unit) => [vin, unit]));
    for (let seenMs = fromMs + 12 * HOUR_MS; seenMs < NOW_MS; seenMs += 20 * MINUTE_MS) poll(seenMs);
    add(planSampleLoads(fleet, { fromMs, nowMs: NOW_MS }));
    const addedMs = new Map<SampleLoad['name'], number>();
    const missingMs = new Map<SampleLoad['name'], number>();
    let mostUnderWay = 0;
    const sites = new Map([...places.values()].map((site) => [site.id, site]));
    const toKept = (load: (typeof loads)[number], nowMs: number): KeptLoad => {
      const ofIt = [...visits.values()].filter(({ unit }) =>
        load.trucks.some((truck) => truck.unit === unit),
      );
      const judged = judgeLoad(load, ofIt as StopVisit[]);
      const change = found.get(load.id);
      const stop = load.stops[judged.next ?? -1];
      const window = change?.window?.position === judged.next ? change.window : null;
      return {
        ...{ id: load.id, state: judged.state, endedMs: judged.endedMs, madeBy: DAY_SHIFT },
        verdict: toVerdict(
          stop ?? { siteId: null, appointment: null },
          judged.stops[judged.next ?? -1]?.visit ?? null,
          window,
          nowMs,
        ),
        noWindow: change?.noWindow ?? null,
        trucks: load.trucks.map((truck) => ({ ...truck, madeBy: DAY_SHIFT })),
        stops: load.stops.map(
          ({ appointment, siteId }, i) =>
            ({
              appointment,
              siteId,
              ...load.places[i]!,
              name: sites.get(siteId!)!.name,
            }) as KeptLoad['stops'][number],
        ),
      };
    };
    for (let nowMs = NOW_MS; nowMs <= NOW_MS + WATCHED_MS; nowMs += STEP_MS) {
      poll(nowMs);
      const kept = loads.map((load) => toKept(load, nowMs));
      mostUnderWay = Math.max(mostUnderWay, kept.filter(({ endedMs }) => endedMs === null).length);
      const isNotMoving = (vin: string) => isResting(fleet, vinOf.get(vin)!, nowMs, NOT_MOVING_MS);
      const seen = new Set(kept.flatMap((load) => toSampleNames(load, isNotMoving)));
      for (const name of SAMPLE_NAMES) {
        if (seen.has(name)) missingMs.delete(name);
        const sinceMs = missingMs.get(name) ?? nowMs;
        if (!seen.has(name)) missingMs.set(name, sinceMs);
        expect(nowMs - sinceMs, `${name} at ${(nowMs - NOW_MS) / HOUR_MS} h`).toBeLessThanOrEqual(MISSING_MS);
      }
      const recent = new Set([...addedMs].flatMap(([name, ms]) => (nowMs - ms < HOUR_MS ? [name] : [])));
      const plan = planLoads(fleet, kept, { fromMs, nowMs, recent });
      for (const id of plan.ended) loads[id]!.endedMs = nowMs;
      for (const { id, vin } of plan.given) loads[id]!.trucks = [{ unit: vin, fromMs: nowMs, toMs: null }];
      for (const { name } of plan.added) addedMs.set(name, nowMs);
      if (plan.added.length > 0) add(plan.added);
      else configure();
    }
    expect(mostUnderWay).toBeGreaterThan(9);
    expect(mostUnderWay).toBeLessThan(40);
  },
  4 * MINUTE_MS,
);
