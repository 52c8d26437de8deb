import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../log';
import { createDemoFleet } from './demo-fleet';
import { startSimulator, createSchedule } from './simulator';
import { MINUTE_MS } from '@/lib/base/time';

const START_MS = Date.UTC(2026, 5, 15, 18);

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

it('goes on reporting when the clock is set back', async () => {
  let reports = 0;
  const simulator = startSimulator({
    ingestUrl: 'http://service.test/ingest',
    ingestToken: 'token',
    fleet: createDemoFleet({ units: 20, seed: 1956 }),
    now: Date.now,
    fetch: async () => {
      reports++;
      return new Response();
    },
    log: silentLog,
  });
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  const usual = reports;
  expect(usual).toBeGreaterThan(20);
  vi.setSystemTime(Date.now() - 180 * MINUTE_MS);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(reports - usual).toBeGreaterThan(usual / 2);
  await Promise.all([simulator.stop(), vi.advanceTimersByTimeAsync(1000)]);
});

const at = (unit: number, dueAtMs: number) => ({ unit, dueAtMs, reportAtMs: dueAtMs, isFirst: false });

it('returns what is due, earliest first, and each entry once', () => {
  const schedule = createSchedule();
  schedule.add(at(1, 5000));
  schedule.add(at(2, 1000));
  schedule.add(at(3, 90_000));
  expect(schedule.takeDue(999)).toEqual([]);
  expect(schedule.takeDue(5000).map(({ unit }) => unit)).toEqual([2, 1]);
  expect(schedule.takeDue(5000)).toEqual([]);
  expect(schedule.takeDue(100_000).map(({ unit }) => unit)).toEqual([3]);
});

it('drops an entry that is never due', () => {
  const schedule = createSchedule();
  schedule.add(at(1, Infinity));
  expect(schedule.takeDue(Number.MAX_SAFE_INTEGER)).toEqual([]);
});
