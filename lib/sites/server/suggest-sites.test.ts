import { expect, it } from 'vitest';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { setUpRecording } from '@/testing/history/recording';
import { unitAt } from '@/testing/live/tracked-units';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import type { Site } from '@/lib/rules/site';
import { suggestSites } from './suggest-sites';
import { DAY_MS } from '@/lib/base/time';

const USDOT = '9000001';
const held = setUpRecording();

/** Minutes of a round: a drive of 20 km, a stop, the way back, a stop, with a red light on the way. */
const DRIVE_MIN = 20;
const STOP_MIN = 25;
const ROUND_MIN = 2 * (DRIVE_MIN + STOP_MIN);
const ROUNDS = 6;
const FAR_M = 20_000;

const metersAt = (minute: number): number => {
  const within = minute % ROUND_MIN;
  if (within < STOP_MIN) return 0;
  if (within < STOP_MIN + DRIVE_MIN) return ((within - STOP_MIN) / DRIVE_MIN) * FAR_M;
  if (within < 2 * STOP_MIN + DRIVE_MIN) return FAR_M;
  return ((ROUND_MIN - within) / DRIVE_MIN) * FAR_M;
};

const endMs = START_MS + (ROUNDS * ROUND_MIN - 1) * MINUTE_MS;

const record = async (): Promise<void> => {
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
  for (let minute = 0; minute < ROUNDS * ROUND_MIN; minute++) {
    const seenMs = START_MS + minute * MINUTE_MS;
    tracker.observe([unitAt('SHUTTLE', minute, metersAt(minute))], new Set(), seenMs);
    await held.write({ usdot: USDOT, seenMs, changes: tracker.takeChanges(tracker.copyRows()) });
  }
};

/** The reader, of which nothing is held yet. */
const toReader = (): Parameters<typeof suggestSites>[0] => ({
  countStates: (...args) => held.reader.countStates(...args),
  readStates: (...args) => held.reader.readStates(...args),
});

it('suggests where units stopped often and long, once each, from PostgreSQL and from the archive', async () => {
  await record();
  const reader = toReader();
  const suggested = await suggestSites(reader, USDOT, [], endMs);
  expect(suggested).toMatchObject({ fromMs: endMs - 14 * DAY_MS, toMs: endMs });
  expect(suggested.places.map(({ stops, units }) => ({ stops, units }))).toEqual([
    { stops: ROUNDS, units: 1 },
    { stops: ROUNDS, units: 1 },
  ]);
  const [near, far] = [...suggested.places].sort((a, b) => a.lat - b.lat);
  expect(near!.lat).toBeCloseTo(fixAt(0, 0).lat, 3);
  expect(far!.lat).toBeCloseTo(fixAt(0, FAR_M).lat, 3);
  expect(far!.medianMs / MINUTE_MS).toBeGreaterThan(STOP_MIN - 3);
  expect(far!.medianMs / MINUTE_MS).toBeLessThan(STOP_MIN + 3);

  const { lat, lng } = fixAt(0, FAR_M);
  const site: Site = {
    ...{ id: 1, name: 'Yard', kind: 'yard', color: '#2f7de1', notes: '', openingHours: null, marginM: 75 },
    shape: { type: 'circle', lat, lng, radiusM: 200 },
  };
  expect((await suggestSites(reader, USDOT, [site], endMs)).places).toEqual([near]);

  expect(await held.archive(endMs + DAY_MS)).toEqual([]);
  const { rows } = await held.pool.query('SELECT count(*)::int AS states FROM linehaul.states');
  expect(rows).toEqual([{ states: 0 }]);
  const archived = await suggestSites(toReader(), USDOT, [], endMs);
  expect(archived.places).toEqual(suggested.places);
});
