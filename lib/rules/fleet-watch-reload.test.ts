import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MINUTE_MS } from '@/lib/base/time';
import { IS_LONG } from '@/testing/long';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet } from '@/testing/view/fleet';
import type { AlertCondition, AlertRule } from './alert-rule';
import type { HeldAlert } from './engine/rule-state';
import { FleetWatch, type Watched } from './fleet-watch';
import type { SiteVisit } from './site';

const CONDITIONS: AlertCondition[] = [
  { kind: 'arrives', siteIds: null },
  { kind: 'leaves', siteIds: null },
  { kind: 'stays', siteIds: null, forMin: 5 },
  { kind: 'silent', forMin: 4 },
  { kind: 'standsOutside', forMin: 5 },
  { kind: 'reportsAgain' },
];
const SITES = [siteOf(1, 0), siteOf(2, 5000)];
const UNITS = ['A', 'B'];
const SILENT_MIN = 4;

const toConfig = (coolDownMin: number) => ({
  sites: SITES,
  rules: CONDITIONS.map((condition, id): AlertRule => ({
    ...{ id, name: `Rule ${id}`, condition, units: { type: 'all' }, schedule: null, severity: 'info' },
    ...{ coolDownMin, isEnabled: true, isOwn: false, madeBy: 'manager' },
  })),
  tags: {},
});

/** What the database has. */
class Tables {
  readonly #visits = new Map<string, SiteVisit>();
  readonly #alerts: HeldAlert[] = [];
  readonly #coolDownMin: number;

  constructor(coolDownMin: number) {
    this.#coolDownMin = coolDownMin;
  }

  write({ visits, alerts }: Watched): void {
    for (const visit of visits) this.#visits.set(`${visit.unit} ${visit.siteId} ${visit.arrivedMs}`, visit);
    for (const change of alerts) {
      const { kind, ruleId, unit, atMs } = change;
      const open = this.#alerts.find(
        (each) => each.ruleId === ruleId && each.unit === unit && !each.closedMs,
      );
      if (kind === 'closed') open!.closedMs = atMs;
      else if (kind === 'opened') {
        const { siteId, sinceMs } = change.facts;
        this.#alerts.push({ ruleId, unit, openedMs: atMs, closedMs: null, siteId, sinceMs });
      }
    }
  }

  read(nowMs: number) {
    const visits = [...this.#visits.values()].filter(({ leftMs }) => leftMs === null);
    const isHeld = ({ closedMs, openedMs }: HeldAlert) =>
      closedMs === null || openedMs > nowMs - this.#coolDownMin * MINUTE_MS;
    return { visits, alerts: this.#alerts.filter(isHeld).map((alert) => ({ ...alert })) };
  }
}

/** For some minutes a unit is so far north, reports or does not, and is in the provider's answers or in none. */
const spell = fc.record({
  northM: fc.constantFrom(0, 0, 250, 900, 5000, 9000),
  status: fc.constantFrom('moving' as const, 'stopped' as const),
  reports: fc.boolean(),
  isListed: fc.constantFrom(true, true, false),
  minutes: fc.integer({ min: 1, max: 9 }),
});
const SCRIPT = fc.record({
  units: fc.array(fc.array(spell, { minLength: 4, maxLength: 8 }), { minLength: 2, maxLength: 2 }),
  reloads: fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
  coolDownMin: fc.constantFrom(0, 15),
});
type Script = typeof SCRIPT extends fc.Arbitrary<infer T> ? T : never;

/** What each minute found, where the watch is read again after some of them. */
const play = ({ units, coolDownMin }: Script, reloads: readonly number[]): Watched[] => {
  const [config, tables, watch] = [toConfig(coolDownMin), new Tables(coolDownMin), new FleetWatch()];
  watch.start({ config, visits: [], alerts: [] });
  const minutes = units.map((each) =>
    each.flatMap((part) => Array.from({ length: part.minutes }, () => part)),
  );
  const newest = UNITS.map((key, i) => fixedAt(key, { min: 0, northM: 20_000 + i }));
  const newestMin = UNITS.map(() => 0);
  return Array.from({ length: Math.min(...minutes.map(({ length }) => length)) }, (_, min) => {
    const listed = UNITS.flatMap((key, i) => {
      const { northM, status, reports, isListed } = minutes[i]![min]!;
      if (!isListed) return [];
      if (reports) [newest[i], newestMin[i]] = [fixedAt(key, { min, northM: northM + i }), min];
      const isSilent = min - newestMin[i]! >= SILENT_MIN;
      return { ...newest[i]!, status: isSilent ? ('silent' as const) : status, sinceS: newest[i]!.fixAtS! };
    });
    const seenMs = START_MS + min * MINUTE_MS;
    const rows = createTestFleet([...listed, fixedAt('Z', { min, northM: 30_000 })]);
    const found = watch.observe(rows, { seenMs, failure: null });
    tables.write(found);
    if (reloads.includes(min)) watch.start({ config, ...tables.read(seenMs) });
    return found;
  });
};

const say = (found: readonly Watched[]) =>
  found.map(({ visits, alerts }, min) => ({
    min,
    visits: visits.map((visit) => JSON.stringify(visit)).sort(),
    alerts: alerts.map(({ kind, ruleId, unit }) => `${kind} ${CONDITIONS[ruleId]!.kind} ${unit}`).sort(),
  }));

it('a watch that is read again finds what it would have, also of units that leave the answers just then', () => {
  fc.assert(
    fc.property(SCRIPT, (script) => {
      expect(say(play(script, script.reloads))).toEqual(say(play(script, [])));
    }),
    { numRuns: IS_LONG ? 3000 : 60 },
  );
});
