import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AlertCondition } from '@/lib/rules/alert-rule';
import { systemClock } from '@/lib/base/clock';
import { createFakeClient } from '@/testing/live/fake-client';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { minutesPassed, pass } from '@/testing/live/watched-feed';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { PolledFeeds } from '../feeds';

const USDOT = '9000001';
const OTHER = '1M8GDM9AXKP042788';
const CONDITIONS: AlertCondition[] = [{ kind: 'vanishes' }, { kind: 'silent', forMin: 20 }, { kind: 'late' }];

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

const ruleOf = (condition: AlertCondition, id: number) => ({
  ...{ id, name: 'Rule', condition, units: { type: 'all' as const }, schedule: null },
  ...{ severity: 'info' as const, coolDownMin: 0, isEnabled: true, isOwn: false, madeBy: 'manager' },
});

test.each([
  ['1FUJHHDR6SLAP5397', '1XKYD49X5FJ440021', { deviceId: '7', truckNumber: '104' }],
  ['1FUJHHDR6SLAP5397', '1FUJHHDR5NLAP4200', { deviceId: '7' }],
  // Its check digit is wrong.
  ['1FUJHHDR6SLAP5398', '1FUJHHDR6SLAP5397', { deviceId: '7' }],
])('a VIN that is corrected on the same device, %s to %s, opens no alert', async (was, is, names) => {
  const { provider, client } = createFakeClient(() => Date.now());
  provider.units = async () => {
    const min = minutesPassed();
    const identity = identityOf(min < 15 ? was : is, names);
    return [unitAt(is, min, min * 1000, { identity }), unitAt(OTHER, min, min * 500)];
  };
  // The roster has the former VIN for as long as it likes.
  provider.vins = async () => [was, OTHER];
  const alerts: string[] = [];
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs: 10_000,
    random: () => 0.5,
    settings: { carrierPauseMs: null },
    readStart: async () => ({
      units: null,
      watch: { config: { sites: [], rules: CONDITIONS.map(ruleOf), tags: {} }, visits: [], alerts: [] },
    }),
    onPolled: (_, _changes, watched) =>
      alerts.push(...(watched?.alerts ?? []).map(({ kind, unit, ruleId }) => `${kind} ${ruleId} ${unit}`)),
  });
  for (let min = 0; min <= 60; min++) {
    await feeds.feed(USDOT).pollOnce();
    await pass(MINUTE_MS);
  }
  await feeds.close();
  expect(alerts).toEqual([]);
});
