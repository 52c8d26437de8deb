import { expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { REASONS } from '@/lib/motion/status';
import { FleetWatch } from '@/lib/rules/fleet-watch';
import { isLoadCondition } from '@/lib/rules/load-cases';
import { createUnitsParser } from '@/lib/tracking/units-parser';
import { IS_LONG } from '@/testing/long';
import { createDemoPast } from './demo-past';
import { listSampleRules, SAMPLE_SITES, toSampleTags } from './sample-data';

const TO_MS = Date.UTC(2026, 10, 17, 18, 30);
const [UNITS, WATCHED_MS, STEP_MS] = IS_LONG
  ? [400, DAY_MS, 2 * MINUTE_MS]
  : [130, 9 * HOUR_MS, 10 * MINUTE_MS];

const sites = SAMPLE_SITES.map((site, index) => ({ ...site, id: index + 1 }));
const rules = listSampleRules(sites).map((rule, index) => ({ ...rule, id: index + 1, madeBy: '' }));

/** Polls the demo fleet as a feed does; each poll has the alerts that are open after it, as "rule unit", by when they opened. */
function* watchDemo() {
  const options = { units: UNITS, fromMs: TO_MS - WATCHED_MS, toMs: TO_MS, activeWindowMs: 30 * MINUTE_MS };
  const past = createDemoPast(options);
  const tags = toSampleTags(past.fleet, TO_MS);
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, past.usdot);
  const watch = new FleetWatch();
  watch.configure({ sites, rules, tags });
  const open = new Map<string, number>();
  for (let seenMs = past.fromMs; seenMs <= TO_MS; seenMs += STEP_MS) {
    const parser = createUnitsParser(past.usdot, { ...systemClock, nowMs: () => seenMs });
    parser.take(past.readRecords(seenMs));
    tracker.observe(parser.end({ units: [] }).units, past.roster, seenMs);
    const rows = tracker.copyRows();
    const { visits, alerts } = watch.observe(rows, { seenMs, failure: null });
    for (const { kind, ruleId, unit } of alerts) {
      const name = `${rules[ruleId - 1]!.name} ${unit}`;
      if (kind === 'opened') open.set(name, seenMs);
      else if (kind === 'closed') open.delete(name);
    }
    yield { rows, tags, visits, open, seenMs };
  }
}

it('each case of a shipped rule has an open alert within the time of the rule, hours after the start too, and few are open', () => {
  const cases = new Map<string, number>();
  const missing: string[] = [];
  let [mostCritical, mostOpen] = [0, 0];
  const customers = new Set(sites.filter(({ kind }) => kind === 'customer').map(({ id }) => id));
  const yards = new Set(sites.filter(({ kind }) => kind === 'yard').map(({ id }) => id));
  const arrivedMs = new Map<string, number>();
  for (const { rows, tags, visits, open, seenMs } of watchDemo()) {
    const requireOpen = (rule: string, unit: string): void => {
      cases.set(rule, (cases.get(rule) ?? 0) + 1);
      if (!open.has(`${rule} ${unit}`)) missing.push(`${new Date(seenMs).toISOString()} ${rule} ${unit}`);
    };
    for (const visit of visits) {
      const { unit, siteId, leftMs } = visit;
      if (leftMs !== null) arrivedMs.delete(`${siteId} ${unit}`);
      else if (!arrivedMs.has(`${siteId} ${unit}`)) {
        arrivedMs.set(`${siteId} ${unit}`, visit.arrivedMs);
        if (visit.arrivedAfterMs !== null && yards.has(siteId) && tags['dedicated']!.includes(unit))
          requireOpen('Back at a yard', unit);
      }
    }
    const { reason, fixAtS, siteId } = rows.columns;
    for (const [row, identity] of rows.identities.entries()) {
      if (!identity || fixAtS[row] === 0) continue;
      const { key } = identity;
      if (REASONS[reason[row]!] === 'vanishedMoving') requireOpen('Vanished on the road', key);
      if (tags['reefer']!.includes(key) && seenMs - fixAtS[row]! * 1000 >= HOUR_MS)
        requireOpen('Reefer silent for an hour', key);
      const sinceMs = customers.has(siteId[row]!) && arrivedMs.get(`${siteId[row]} ${key}`);
      if (sinceMs && seenMs - sinceMs >= 2 * HOUR_MS) requireOpen('Over 2 hours at a customer', key);
    }
    const names = [...open.keys()];
    mostOpen = Math.max(mostOpen, names.length);
    mostCritical = Math.max(mostCritical, names.filter((name) => name.startsWith('Vanished')).length);
  }
  const ofTrucks = rules.filter(({ condition }) => !isLoadCondition(condition));
  expect([...cases.keys()].sort()).toEqual(ofTrucks.map(({ name }) => name).sort());
  expect(missing).toEqual([]);
  // Of 400 trucks a handful is critical, and some tens are open.
  expect(mostCritical).toBeLessThanOrEqual(Math.ceil((10 / 400) * UNITS));
  expect(mostOpen).toBeLessThanOrEqual(Math.ceil((50 / 400) * UNITS));
});
