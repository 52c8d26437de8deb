import { describe, expect, it } from 'vitest';
import type { FreeTime } from '@/lib/arrivals/free-time';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import type { AlertCondition, AlertFacts, AlertRule } from './alert-rule';
import type { AlertChange, HeldAlert } from './engine/rule-state';
import { FleetWatch, type WatchConfig } from './fleet-watch';
import type { LoadChange, WatchedLoad } from './load-watch';
import type { SiteVisit } from './site';

const SITES = [siteOf(1, 0), siteOf(2, 100_000), siteOf(3, 60_000)];
const at = (min: number): number => START_MS + min * MINUTE_MS;

const ruleOf = (condition: AlertCondition): AlertRule => ({
  ...{ id: 1, name: 'Rule', condition, units: { type: 'all' }, schedule: null },
  ...{ severity: 'warning', coolDownMin: 0, isEnabled: true, isOwn: false, madeBy: 'manager' },
});

interface Planned {
  id?: number;
  reference?: string;
  unit?: string;
  site?: number;
  untilMin: number | null;
  free?: FreeTime | null;
  kind?: 'pickup' | 'delivery';
  /** When another truck was checked last at its dock. */
  checkedMin?: number;
}

const loadOf = ({
  id = 7,
  reference = '8841',
  unit = 'A',
  site = 2,
  untilMin,
  free = null,
  kind = 'delivery',
  checkedMin,
}: Planned): WatchedLoad => {
  const { shape } = SITES[site - 1]!;
  const appointment = untilMin === null ? null : { fromMs: at(untilMin - 30), toMs: at(untilMin) };
  return {
    ...{ id, reference, customer: 'Peachtree', endedMs: null, visits: [], shown: [], known: null },
    stops: [{ siteId: site, kind, appointment }],
    wrongCheckMs: checkedMin === undefined ? null : at(checkedMin),
    texts: [{ name: 'Peachtree Paper', free }],
    places: [shape.type === 'circle' ? shape : { lat: 0, lng: 0 }],
    trucks: [{ unit, fromMs: START_MS - HOUR_MS, toMs: null }],
  };
};

/** A watched fleet, which a restart hands on as the recording keeps it. */
const watchOf = (condition: AlertCondition, loads: readonly WatchedLoad[]) => {
  let watch = new FleetWatch();
  let config: WatchConfig = { sites: SITES, rules: [ruleOf(condition)], tags: {}, loads };
  watch.configure(config);
  const open = new Map<string, HeldAlert>();
  const visits = new Map<string, SiteVisit>();
  const states = new Map<number, LoadChange>();
  const said: string[] = [];
  const found: string[] = [];
  const facts: AlertFacts[] = [];
  const note = (min: number) => (change: AlertChange) => {
    if (change.kind === 'opened') {
      const { siteId, sinceMs, load } = change.facts;
      facts.push(change.facts);
      const loadKey = `${load!.id}:${load!.stop}`;
      open.set(change.unit, {
        ...{ ruleId: 1, unit: change.unit, openedMs: change.atMs },
        closedMs: null,
        siteId,
        sinceMs,
        loadKey,
      });
      said.push(`${min} opened ${load!.reference}`);
    } else if (change.kind === 'closed') {
      open.delete(change.unit);
      said.push(`${min} closed`);
    }
  };
  const poll = (min: number, ...units: UnitFields[]): void => {
    const seen = watch.observe(createTestFleet(units), { seenMs: at(min), failure: null });
    for (const visit of seen.visits) visits.set(`${visit.siteId} ${visit.arrivedMs}`, visit);
    for (const change of seen.loads ?? []) {
      states.set(change.loadId, change);
      found.push(change.verdict);
    }
    seen.alerts.forEach(note(min));
  };
  const configure = (changed: readonly WatchedLoad[]): void => {
    config = { ...config, loads: changed };
    watch.configure(config);
  };
  const restart = (): void => {
    watch = new FleetWatch();
    const known = config.loads!.map((load) => {
      const { state, next, verdict, shown = [] } = states.get(load.id) ?? {};
      const ofLoad = [...visits.values()].filter(({ siteId }) =>
        load.stops.some((stop) => stop.siteId === siteId),
      );
      return {
        ...load,
        shown,
        visits: ofLoad,
        known: state ? { state, next: next!, verdict: verdict! } : null,
      };
    });
    watch.start({
      config: { ...config, loads: known },
      visits: [...visits.values()],
      alerts: [...open.values()],
    });
  };
  return { poll, restart, configure, said, facts, verdicts: () => found };
};

/** A truck so many kilometers from its stop at 100. */
const truck = (min: number, km: number, status: UnitFields['status'] = 'moving', unit = 'A') =>
  fixedAt(unit, { min, northM: km * 1000, status });

describe('loadWillBeLate', () => {
  it.each([false, true])(
    'opens before the appointment, and closes by itself when the truck catches up; restarted: %s',
    (isRestarted) => {
      const { poll, restart, said, facts } = watchOf({ kind: 'loadWillBeLate' }, [loadOf({ untilMin: 75 })]);
      poll(0, truck(0, -100, 'stopped'));
      poll(1, truck(1, -100, 'stopped'));
      if (isRestarted) restart();
      for (let min = 2; min < 20; min += 1) poll(min, truck(min, -100, 'stopped'));
      for (let min = 20; min < 40; min += 1) {
        if (isRestarted && min === 30) restart();
        poll(min, truck(min, -100 + (min - 19) * 9));
      }
      for (let min = 40; min < 60; min += 1) poll(min, truck(min, 85));
      expect(said).toHaveLength(2);
      expect(said[0]).toBe('0 opened 8841');
      expect(said[1]).toMatch(/^(2|3)\d closed$/);
      const { appointment, window, stopName, customer } = facts[0]!.load!;
      expect([stopName, customer]).toEqual(['Peachtree Paper', 'Peachtree']);
      expect(window!.fromMs).toBeGreaterThan(appointment!.toMs);
    },
  );

  it('stays open while the truck is silent and when its appointment has passed, and closes with its arrival', () => {
    const { poll, said } = watchOf({ kind: 'loadWillBeLate' }, [loadOf({ untilMin: 75 })]);
    poll(0, truck(0, -100));
    for (let min = 1; min < 300; min += 1) poll(min, truck(0, -100, 'silent'));
    for (let min = 300; min < 310; min += 1) poll(min, truck(min, 90 + Math.min(10, min - 299)));
    for (let min = 310; min < 320; min += 1) poll(min, truck(min, 100, 'stopped'));
    expect(said).toEqual(['0 opened 8841', expect.stringMatching(/^31\d closed$/)]);
  });
});

describe('loadLate', () => {
  it('opens once the appointment has passed, about the worst load of a truck, and about the other once that is there', () => {
    const { poll, said } = watchOf({ kind: 'loadLate' }, [
      loadOf({ id: 7, reference: 'near', site: 3, untilMin: 10 }),
      loadOf({ id: 8, reference: 'far', site: 2, untilMin: 20 }),
    ]);
    for (let min = 0; min < 30; min += 1) poll(min, truck(min, min));
    expect(said).toEqual(['11 opened near']);
    for (let min = 30; min < 60; min += 1) poll(min, truck(min, Math.min(60, 2 * min)));
    expect(said).toEqual([
      '11 opened near',
      expect.stringMatching(/closed$/),
      expect.stringMatching(/opened far$/),
    ]);
    expect(parseInt(said[2]!, 10)).toBeGreaterThan(20);
    for (let min = 60; min < 90; min += 1) poll(min, truck(min, Math.min(100, 60 + 2 * (min - 59))));
    expect(said).toHaveLength(4);
  });
});

describe.each(['loadWillBeLate', 'loadLate'] as const)('%s', (kind) => {
  it('is not of a truck that is inside in time, while its visit is not confirmed yet', () => {
    const { poll, said, verdicts } = watchOf({ kind }, [loadOf({ site: 1, untilMin: 10 })]);
    for (let min = 0; min < 9.5; min += 0.25) poll(min, truck(min, (min - 9) * 1.2));
    // Its device says nothing more for so long.
    for (let min = 9.5; min < 14; min += 0.25) poll(min, truck(9.25, 0));
    for (let min = 14; min < 17; min += 0.25) poll(min, truck(min, 0, 'stopped'));
    expect(said).toEqual([]);
    expect(verdicts().at(-1)).toBe('onTime');
    expect(verdicts()).not.toContain('late');
  });

  it('is of a truck that only drove through', () => {
    const { poll, said } = watchOf({ kind }, [loadOf({ site: 1, untilMin: 10 })]);
    for (let min = 0; min < 20; min += 0.25) poll(min, truck(min, (min - 9) * 1.2));
    expect(said).toEqual([expect.stringMatching(kind === 'loadLate' ? /^10.25 opened/ : /^9.5 opened/)]);
  });

  it('is of no stop whose site was removed, and closes once it is', () => {
    const load = loadOf({ untilMin: 10 });
    const { poll, said, configure, verdicts } = watchOf({ kind }, [load]);
    const stops = load.stops.map((stop) => ({ ...stop, siteId: null }));
    for (let min = 0; min < 12; min += 1) poll(min, truck(min, 0));
    expect(said).toEqual([expect.stringMatching(/opened 8841$/)]);
    configure([{ ...load, stops, revision: 1 }]);
    for (let min = 12; min < 20; min += 1) poll(min, truck(min, 0));
    expect(said.slice(1)).toEqual([expect.stringMatching(/^1[2-4] closed$/)]);
    expect(verdicts().at(-1)).toBe('unknown');
  });
});

describe('loadNotMoving', () => {
  const condition: AlertCondition = { kind: 'loadNotMoving', forMin: 30 };

  it('does not count a silence after which the truck is elsewhere, and counts one where it stood', () => {
    const away = watchOf(condition, [loadOf({ untilMin: null })]);
    for (let min = 0; min < 10; min += 1) away.poll(min, truck(min, 50));
    for (let min = 60; min < 80; min += 1) away.poll(min, truck(min, 20));
    expect(away.said).toEqual([]);
    for (let min = 80; min < 90; min += 1) away.poll(min, truck(min, 20));
    expect(away.said).toEqual(['81 opened 8841']);
    const standing = watchOf(condition, [loadOf({ untilMin: null })]);
    for (let min = 0; min < 10; min += 1) standing.poll(min, truck(min, 50));
    standing.poll(60, truck(60, 50, 'stopped'));
    expect(standing.said).toEqual(['60 opened 8841']);
  });

  it.each([false, true])('counts since the truck was nearest, also across a restart: %s', (isRestarted) => {
    const { poll, restart, said } = watchOf(condition, [loadOf({ untilMin: null })]);
    for (let min = 0; min < 10; min += 1) poll(min, truck(min, min));
    for (let min = 10; min < 60; min += 1) {
      if (isRestarted && min === 30) restart();
      // It drives around where it is.
      poll(min, truck(min, 9 - (min % 3)));
    }
    for (let min = 60; min < 75; min += 1) poll(min, truck(min, 10 + (min - 59)));
    expect(said).toEqual(['39 opened 8841', '62 closed']);
  });

  it('does not while the truck nears a stop of another load, or is at one', () => {
    const { poll, said } = watchOf(condition, [
      loadOf({ id: 7, untilMin: 900, site: 2 }),
      loadOf({ id: 8, untilMin: 90, site: 1 }),
    ]);
    for (let min = 0; min < 60; min += 1) poll(min, truck(min, 60 - min));
    for (let min = 60; min < 150; min += 1) poll(min, truck(min, 0, 'stopped'));
    expect(said).toEqual([]);
  });
});

describe('freeTimeEnds', () => {
  it('opens before free time ends, which begins with the appointment of an early truck, and closes with the departure', () => {
    const { poll, restart, said, facts } = watchOf({ kind: 'freeTimeEnds', inMin: 15 }, [
      loadOf({ site: 1, untilMin: 60, free: { freeMin: 60, countedFrom: 'appointment' } }),
    ]);
    for (let min = 0; min < 40; min += 1) poll(min, truck(min, 0, 'stopped'));
    restart();
    for (let min = 40; min < 100; min += 1) poll(min, truck(min, 0, 'stopped'));
    for (let min = 100; min < 110; min += 1) poll(min, truck(min, min - 99));
    expect(said).toEqual(['75 opened 8841', expect.stringMatching(/^10\d closed$/)]);
    expect(facts[0]!.load!.freeEndsMs).toBe(at(90));
  });

  it('counts from the arrival where the terms say so', () => {
    const { poll, said } = watchOf({ kind: 'freeTimeEnds', inMin: 15 }, [
      loadOf({ site: 1, untilMin: 60, free: { freeMin: 60, countedFrom: 'arrival' } }),
    ]);
    for (let min = 0; min < 60; min += 1) poll(min, truck(min, 0, 'stopped'));
    expect(said).toEqual(['45 opened 8841']);
  });
});

describe('wrongTruck', () => {
  it.each([false, true])(
    'opens when a dock checks another truck for a pickup, and closes after an hour; restarted: %s',
    (isRestarted) => {
      const load = { untilMin: null, kind: 'pickup' } as const;
      const { poll, restart, configure, said, facts } = watchOf({ kind: 'wrongTruck' }, [loadOf(load)]);
      for (let min = 0; min < 10; min += 1) poll(min, truck(min, 50));
      expect(said).toEqual([]);
      configure([loadOf({ ...load, checkedMin: 9.5 })]);
      for (let min = 10; min < 90; min += 1) {
        if (isRestarted && min === 30) restart();
        poll(min, truck(min, 50));
      }
      expect(said).toEqual(['10 opened 8841', '72 closed']);
      expect(facts[0]!.load).toMatchObject({ wrongCheckMs: at(9.5), stopName: 'Peachtree Paper' });
    },
  );

  it('is of no load whose pickup is over', () => {
    const { poll, said } = watchOf({ kind: 'wrongTruck' }, [loadOf({ untilMin: null, checkedMin: 0 })]);
    for (let min = 1; min < 10; min += 1) poll(min, truck(min, 50));
    expect(said).toEqual([]);
  });
});
