import fc from 'fast-check';
import { expect, it } from 'vitest';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt } from '@/testing/sites/watched-units';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import { MINUTE_MS } from '@/lib/base/time';
import type { AlertCondition, WatchedRule } from './alert-rule';
import type { AlertChange, HeldAlert } from './engine/rule-state';
import { FleetWatch } from './fleet-watch';

const FLAGGED: AlertCondition = { kind: 'flagged', flags: ['wrongCarrier'] };
const SAVED_MS = START_MS - 1000;

const ruleOf = (condition: AlertCondition, changes: Partial<WatchedRule> = {}): WatchedRule => ({
  ...{ id: 1, name: 'Rule', condition, units: { type: 'all' }, schedule: null, severity: 'warning' },
  ...{ coolDownMin: 0, isEnabled: true, isOwn: false, madeBy: 'manager', newFromMs: SAVED_MS },
  ...changes,
});

const KEYS = ['A', 'B', 'C'];
const unitsOf = (min: number, flagged: readonly boolean[]): UnitFields[] =>
  KEYS.map((key, i) => fixedAt(key, { min, northM: 5000, flags: flagged[i] ? ['wrongCarrier'] : [] }));

/** A watch whose changes are applied to what is stored, as a server does. */
class Watched {
  watch = new FleetWatch();
  rule: WatchedRule;
  stored: HeldAlert[] = [];
  seen: string[] = [];

  constructor(rule: WatchedRule) {
    this.rule = rule;
    this.watch.configure({ sites: [], rules: [rule], tags: {} });
  }

  restart(): void {
    this.watch = new FleetWatch();
    this.#start();
  }

  /** Saves the rule again: the cases that were known are forgotten. */
  save(changes: Partial<WatchedRule>): void {
    this.rule = { ...this.rule, ...changes };
    this.stored = this.stored.filter(({ isKnown }) => !isKnown);
    this.#start();
  }

  #start(): void {
    const config = { sites: [], rules: [this.rule], tags: {} };
    this.watch.start({ config, visits: [], alerts: this.stored });
  }

  poll(min: number, units: UnitFields[]): AlertChange[] {
    const { alerts } = this.watch.observe(createTestFleet(units), {
      seenMs: START_MS + min * MINUTE_MS,
      failure: null,
    });
    for (const change of alerts) this.#store(change);
    this.seen.push(...alerts.flatMap(({ kind, unit }) => (kind === 'opened' ? [`${min} ${unit}`] : [])));
    return alerts;
  }

  #store(change: AlertChange): void {
    const { kind, unit, ruleId, atMs } = change;
    if (kind === 'noted') this.rule = { ...this.rule, knownFromMs: atMs };
    else if (kind === 'closed') this.stored = this.stored.filter((each) => each.unit !== unit);
    else {
      const { siteId, sinceMs } = kind === 'opened' ? change.facts : change;
      const isKnown = kind === 'known';
      this.stored.push({ ...{ ruleId, unit, openedMs: atMs, closedMs: null, siteId, sinceMs, isKnown } });
    }
  }
}

it('opens no alert for a case that held when the rule was saved, until it has ended once', () => {
  const watched = new Watched(ruleOf(FLAGGED));
  expect(watched.poll(0, unitsOf(0, [true, false, false])).map(({ kind }) => kind)).toEqual([
    'known',
    'noted',
  ]);
  for (const min of [1, 2, 3, 4, 5]) watched.poll(min, unitsOf(min, [min === 5, min > 1, false]));
  expect(watched.seen).toEqual(['2 B', '5 A']);
});

it('opens an alert for a case that began after the rule was saved, though the first poll came long after', () => {
  const silent = (fixMin: number) => [
    fixedAt('A', { min: fixMin, northM: 0, status: 'silent' }),
    fixedAt('B', { min: fixMin - 200, northM: 0, status: 'silent' }),
  ];
  const watched = new Watched(ruleOf({ kind: 'silent', forMin: 60 }));
  watched.poll(90, silent(0));
  expect(watched.seen).toEqual(['90 A']);
});

it('notes the cases once for each time that the rule is saved', () => {
  const watched = new Watched(ruleOf(FLAGGED));
  watched.poll(0, unitsOf(0, [true, false, false]));
  watched.watch.configure({ sites: [], rules: [{ ...watched.rule }], tags: {} });
  expect(watched.poll(1, unitsOf(1, [true, true, false])).map(({ kind }) => kind)).toEqual(['opened']);
  watched.save({ newFromMs: START_MS + 1.5 * MINUTE_MS });
  const kinds = watched.poll(2, unitsOf(2, [true, true, true])).map(({ kind, unit }) => `${kind} ${unit}`);
  expect(kinds).toEqual(['known A', 'known C', 'noted ']);
});

it('forgets the known cases when all are wanted, or those of another condition', () => {
  const watched = new Watched(ruleOf(FLAGGED));
  watched.poll(0, unitsOf(0, [true, true, false]));
  watched.save({ newFromMs: null });
  watched.poll(1, unitsOf(1, [true, true, false]));
  expect(watched.seen).toEqual(['1 A', '1 B']);

  const other = new Watched(ruleOf(FLAGGED));
  other.poll(0, unitsOf(0, [true, true, false]));
  const condition: AlertCondition = { kind: 'flagged', flags: ['duplicateVin'] };
  other.save({ condition, newFromMs: START_MS + MINUTE_MS });
  other.poll(2, unitsOf(2, [true, false, false]));
  other.poll(
    3,
    KEYS.map((key) => fixedAt(key, { min: 3, northM: 5000, flags: ['duplicateVin'] })),
  );
  expect(other.seen).toEqual(['3 A', '3 B', '3 C']);
});

it('opens the alerts of the rule without it, but those that held when it was saved, across restarts', () => {
  const pollsArbitrary = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), {
    minLength: 1,
    maxLength: 14,
  });
  fc.assert(
    fc.property(pollsArbitrary, fc.array(fc.nat(13), { maxLength: 3 }), (polls, restarts) => {
      const [all, newOnly] = [
        new Watched(ruleOf(FLAGGED, { newFromMs: null })),
        new Watched(ruleOf(FLAGGED)),
      ];
      polls.forEach((flagged, min) => {
        all.poll(min, unitsOf(min, flagged));
        newOnly.poll(min, unitsOf(min, flagged));
        if (!restarts.includes(min)) return;
        all.restart();
        newOnly.restart();
      });
      expect(newOnly.seen).toEqual(all.seen.filter((alert) => !alert.startsWith('0 ')));
    }),
    { numRuns: 200 },
  );
});

it.each([
  ['known when its rule was saved', { newFromMs: SAVED_MS, knownFromMs: SAVED_MS }],
  ['noted by the first poll', { newFromMs: START_MS + 3 * MINUTE_MS }],
])('a case that is %s does not end the cool-down of the alert before it', (_, changes) => {
  const watched = new Watched(ruleOf(FLAGGED, { coolDownMin: 30, ...changes }));
  const cooling = { ruleId: 1, unit: 'A', openedMs: START_MS, closedMs: START_MS + MINUTE_MS };
  const held = { ...cooling, siteId: null, sinceMs: null };
  watched.stored = 'knownFromMs' in changes ? [held, { ...held, closedMs: null, isKnown: true }] : [held];
  watched.restart();
  for (let min = 2; min <= 40; min++) watched.poll(min, unitsOf(min, [min < 5 || min > 10, false, false]));
  expect(watched.seen).toEqual(['30 A']);
});
