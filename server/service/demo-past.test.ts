import { expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import type { Env } from '@/lib/config/env';
import { Recorder } from '@/lib/recording/recorder';
import type { Log } from '@/lib/base/log';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { STATUSES } from '@/lib/motion/status';
import { openPool, setUpRecording } from '@/testing/history/recording';
import { createDemoPast, recordDemoPast, recordPastAt } from './demo-past';
import { HOUR_MS } from '@/lib/base/time';

const TO_MS = Date.UTC(2026, 10, 17, 18, 30);
const USDOT = '9000001';
const held = setUpRecording();

const openRecorder = (): Recorder =>
  new Recorder({
    open: async () => openPool(held.database.databaseUrl),
    clock: systemClock,
    log: { warn: () => undefined, error: () => undefined },
    intervalMs: 30_000,
  });

it('a demo fleet has a past at its first start, with most of its trucks moving, and no second one', async () => {
  const past = createDemoPast({
    units: 40,
    fromMs: TO_MS - 3 * HOUR_MS,
    toMs: TO_MS,
    activeWindowMs: HOUR_MS,
  });
  const recorder = openRecorder();
  expect(await recorder.recordPast(past)).toBe(true);
  expect(await recorder.recordPast(past)).toBe(false);
  await recorder.close();

  const { reader } = held;
  const coverage = { fromMs: TO_MS - 3 * HOUR_MS, toMs: TO_MS, state: 'answered', problem: null };
  expect(await reader.readCoverage(USDOT, 0, TO_MS)).toEqual([coverage]);
  const fleet = (await reader.readFleetAt(USDOT, TO_MS - HOUR_MS))!;
  const moving = fleet.identities.filter(
    (identity, row) => identity && STATUSES[fleet.columns.status[row]!] === 'moving',
  );
  expect(moving.length).toBeGreaterThan(15);
  const [{ key }] = moving as [NonNullable<(typeof moving)[number]>];
  const trail = await reader.readTrail(USDOT, key, TO_MS - HOUR_MS, TO_MS);
  expect(trail.length).toBeGreaterThan(25);
  expect((await reader.readCounts(USDOT, 0, TO_MS)).length).toBe(18);
});

it('gives the feed the names of its trucks, silent ones too', async () => {
  const names = new Map<string, string | null>();
  const learnNames = (_: string, identities: readonly UnitIdentity[]): void =>
    identities.forEach(({ key, truckNumber }) => names.set(key, truckNumber));
  const log = { info: () => undefined, warn: () => undefined } as unknown as Log;
  const env = { demoUnits: 30, demoHistoryHours: 1, activeWindowMs: 30 * 60_000 } as Env;
  const recorder = openRecorder();
  await recordDemoPast(recorder, env, held.reader, { feeds: { learnNames }, clock: systemClock, log });
  await recorder.close();
  expect([...names.values()].filter((name) => name !== null).length).toBeGreaterThan(20);
});

it('ends with its server', async () => {
  const recorder = openRecorder();
  const fromMs = TO_MS - 500 * HOUR_MS;
  const making = recorder.recordPast(
    createDemoPast({ units: 1, fromMs, toMs: TO_MS, activeWindowMs: HOUR_MS }),
  );
  await expect.poll(() => held.reader.readCoverageAt(USDOT, TO_MS)).not.toBeNull();
  await recorder.close();
  await making;
  expect((await held.reader.readCoverageAt(USDOT, TO_MS))!.toMs).toBeLessThan(TO_MS);
});

it('is recorded by the command line, unless there is one', async () => {
  const record = () =>
    recordPastAt(held.database.databaseUrl, { units: 5, seed: 1, hours: 2 }, new AbortController().signal);
  expect(await record()).toBe(true);
  expect(await record()).toBe(false);
  const { fromMs, toMs } = (await held.reader.readCoverageAt(USDOT, Date.now()))!;
  expect(toMs - fromMs).toBe(2 * HOUR_MS);
});
