import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../log';
import { createDemoFleet } from './demo-fleet';
import { startSimulator } from './simulator';

const START_MS = Date.UTC(2026, 5, 15, 18);
const MINUTE_MS = 60_000;

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
