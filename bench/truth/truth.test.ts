import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '@/testing/database';
import { IS_LONG } from '@/testing/long';
import { parseRecording } from '@/service/command/replay/recording';
import { replay, type ReplayResult } from './path';
import {
  toMixedDay,
  toParked,
  toRecording,
  withDecimals,
  withEvery,
  withWander,
  type Recording,
} from './recording';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

// Each replays hours through a PostgreSQL and HTTP, which takes seconds on a machine that does little else.
vi.setConfig({ testTimeout: 60_000 });

const DAY_MS = Date.UTC(2026, 2, 10, 14);
const { LINEHAUL_TRACES } = process.env;
const AUSTIN = join(LINEHAUL_TRACES ?? '', 'austin-buses-2017-03-21.csv');

const run = async (recording: Recording, pollMs: number): Promise<ReplayResult> => {
  const { databaseUrl, drop } = await createTestDatabase();
  try {
    return await replay(recording, { databaseUrl, pollMs });
  } finally {
    await drop();
  }
};

const NONE = { movingTooSlow: 0, movingInPlace: 0, oldUndated: 0, tooFast: 0 };

const expectTruth = ({ figures, simulatedMs, tookMs, failures }: ReplayResult): void => {
  expect(figures).toMatchObject(NONE);
  // Once the recording has ended nothing is new.
  expect(failures.filter((failure) => !failure.startsWith('repeated'))).toEqual([]);
  expect(simulatedMs / tookMs).toBeGreaterThan(20);
};

const mixed = toMixedDay('mixed', DAY_MS);

test('a day with every trait of the recorded ones is shown as it was', async () => {
  const result = await run(mixed, 30_000);
  expectTruth(result);
  expect(result.withoutPosition).toBeGreaterThan(5);
  expect(result.figures.shown.moving).toBeGreaterThan(300);
  expect(result.figures.shown.stopped).toBeGreaterThan(200);
  expect(result.figures.movingButStood).toBe(0);
  expect([...result.figures.flags.keys()]).toEqual([]);
});

if (IS_LONG)
  test('so is the same day with coordinates of two decimals', async () => {
    const result = await run(withDecimals(mixed, 'two decimals', 2), 40_000);
    expectTruth(result);
    expect(result.figures.shown.moving).toBeGreaterThan(300);
    expect(result.figures.stoppedButDrove).toBeLessThan(0.1 * result.figures.drove);
    expect([...result.figures.flags.keys()]).toEqual([]);
  });

test('no parked truck is shown as moving whose receiver wanders by 90 m', async () => {
  const parked = toParked('parked', { trucks: 12, forMs: 2 * HOUR_MS, everyMs: MINUTE_MS, fromMs: DAY_MS });
  const result = await run(withWander(parked, 'wander', 90), MINUTE_MS);
  expectTruth(result);
  expect(result.figures.shown.moving).toBe(0);
  expect(result.figures.shown.stopped).toBeGreaterThan(0.8 * 12 * 120);
});

if (IS_LONG)
  test.skipIf(!LINEHAUL_TRACES || !existsSync(AUSTIN))(
    'an hour of recorded buses is shown as it was, with the recorded pace and with ten-minute reports',
    async () => {
      const { fixes } = parseRecording(readFileSync(AUSTIN, 'utf8'));
      const firstMs = Math.min(...fixes.map(({ fixAtMs }) => fixAtMs)) + 7 * HOUR_MS;
      const buses = new Set(
        [...new Set(fixes.map(({ deviceId }) => deviceId))].filter((_, i) => i % 6 === 0),
      );
      const hour = toRecording(
        'an hour in Austin',
        fixes.filter(
          ({ fixAtMs, deviceId }) => fixAtMs >= firstMs && fixAtMs < firstMs + HOUR_MS && buses.has(deviceId),
        ),
      );
      for (const recording of [hour, withEvery(hour, 'ten minutes', 10 * MINUTE_MS)]) {
        const result = await run(recording, 30_000);
        expectTruth(result);
        expect(result.figures.shown.moving).toBeGreaterThan(500);
        expect(result.figures.movingButStood).toBe(0);
      }
    },
  );
