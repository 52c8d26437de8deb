import { afterEach, describe, expect, test } from 'vitest';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { TIME_FAULT_NAMES, type TimeFault } from '@/testing/tracking/time-faults';
import { NOT_DERIVED } from '@/lib/wire/fleet';
import { IS_LONG } from '@/testing/long';
import {
  FAULTY_USDOT,
  FLEET_UNITS,
  seeUnits,
  setUpFaultyFeed,
  type FaultyFeed,
  type Seen,
} from '@/testing/live/faulty-feed';
import { MINUTE_MS } from '@/lib/base/time';

/** With a receiver's number of decimals, so that a stop shows soon. */
const SCRIPTED = createScriptedUnits(FLEET_UNITS).map((unit) => ({
  ...unit,
  lat: unit.lat + 0.001373,
  lng: unit.lng + 0.002191,
}));
const MOVING = new Set(SCRIPTED.filter(({ northMps }) => northMps > 0).map(({ vin }) => vin));
/** Without another time and at the same position, the record of a parked truck is an exact repeat. */
const REPEATED_WHERE_STANDING: readonly TimeFault[] = ['timesMissing', 'timesStandStill'];
/** One of the two times advances, and decides. */
const OF_SOUND_TIME: readonly TimeFault[] = [
  'unixHourAhead',
  'textHourBehind',
  'textHourAhead',
  'textStandsStill',
];
/** Until the fault is established and is no single late record. */
const ONSET_MS = 3 * MINUTE_MS;
const WATCHED_MS = (IS_LONG ? 45 : 6) * MINUTE_MS;

let faulty: FaultyFeed;
afterEach(() => faulty.provider.close());

const see = async (): Promise<Map<string, Seen>> => seeUnits(await faulty.read());

const expectTruth = async (): Promise<void> => {
  const seen = await see();
  for (const { vin, coordinates, unixTimestamp } of faulty.provider.recordsOf(FAULTY_USDOT)) {
    const { lat, lng } = coordinates as { lat: number; lng: number };
    expect(seen.get(vin)?.lat, vin).toBeCloseTo(lat, 4);
    expect(seen.get(vin)?.lng, vin).toBeCloseTo(lng, 4);
    expect(seen.get(vin)?.fixAtS, vin).toBe(unixTimestamp);
  }
  for (const { vin, northMps } of SCRIPTED) {
    const isMoving = northMps > 0;
    expect(seen.get(vin), vin).toMatchObject({
      status: isMoving ? 'moving' : 'stopped',
      reason: isMoving ? 'displaced' : 'inPlace',
    });
    if (isMoving) expect(Math.abs(seen.get(vin)!.speedKph - northMps * 3.6), vin).toBeLessThan(3);
  }
};

/**
 * Deviations of a unit that gets new records from the expected state: it reports, near its true position,
 * flagged for its clock alone.
 */
const findWrong = async (fault: TimeFault, sinceMs: number): Promise<string[]> => {
  const fleet = await faulty.read();
  const seen = seeUnits(fleet);
  const wrong: string[] = [];
  if (sinceMs >= ONSET_MS && fleet.feed.problem) wrong.push(fleet.feed.problem.message);
  for (const { vin, coordinates } of faulty.provider.recordsOf(FAULTY_USDOT)) {
    const unit = seen.get(vin)!;
    const isMoving = MOVING.has(vin);
    if (!isMoving && REPEATED_WHERE_STANDING.includes(fault)) continue;
    if (unit.status !== (isMoving ? 'moving' : 'stopped')) wrong.push(`${vin} ${unit.status}`);
    if (sinceMs < ONSET_MS) continue;
    const apartDeg = Math.abs(unit.lat! - (coordinates as { lat: number }).lat);
    if (apartDeg > 2e-5) wrong.push(`${vin} is ${apartDeg}° off`);
    const ageS = faulty.now() / 1000 - unit.fixAtS;
    if (ageS > 12) wrong.push(`${vin} is ${ageS} s old`);
    if (unit.flags.join() !== 'clockFault') wrong.push(`${vin} has the flags ${unit.flags.join()}`);
  }
  return wrong.map((each) => `${sinceMs / 1000} s: ${each}`);
};

const watchWrong = async (fault: TimeFault, forMs: number): Promise<string[]> => {
  const begunMs = faulty.now();
  const wrong: string[] = [];
  faulty.provider.behave(FAULTY_USDOT, fault);
  while (faulty.now() < begunMs + forMs) {
    await faulty.poll();
    wrong.push(...(await findWrong(fault, faulty.now() - begunMs)));
  }
  return wrong;
};

/** The evidence of a moving unit, as the panel shows it. */
const expectEvidence = async (fault: TimeFault): Promise<void> => {
  const vin = [...MOVING][0]!;
  const detail = (await faulty.feed.detail(vin))!;
  const words = detail.flags.map(({ text: each }) => each).join(' ');
  expect(words).not.toContain('not been so');
  if (OF_SOUND_TIME.includes(fault)) return expect(detail.reason).toBe('displaced');
  expect(words).toContain('The times shown are when Linehaul received its reports.');
  expect(detail.reason).toBe('byReceipt');
  expect((await see()).get(vin)?.speedKph).toBe(NOT_DERIVED);
};

describe('times that cannot be trusted never hide a truck that reports', () => {
  test.each(TIME_FAULT_NAMES)('%s', { timeout: 60_000 }, async (fault) => {
    faulty = await setUpFaultyFeed({}, {}, { units: SCRIPTED });
    const { provider, pollFor } = faulty;
    await pollFor(5 * MINUTE_MS);
    await expectTruth();
    expect(await watchWrong(fault, WATCHED_MS)).toEqual([]);
    await expectEvidence(fault);
    provider.behave(FAULTY_USDOT, 'good');
    await pollFor(MINUTE_MS);
    await expectTruth();
    await pollFor(6 * MINUTE_MS);
    await expectTruth();
    for (const { flags } of (await see()).values()) expect(flags).toEqual([]);
  });

  test('also once times that were set back have caught up', { timeout: 60_000 }, async () => {
    faulty = await setUpFaultyFeed({}, {}, { units: SCRIPTED });
    await faulty.pollFor(2 * MINUTE_MS);
    expect(await watchWrong('timesHourBack', 70 * MINUTE_MS)).toEqual([]);
    await expectEvidence('timesHourBack');
  });

  test('also after a start in the middle of the fault', async () => {
    faulty = await setUpFaultyFeed({}, {}, { units: SCRIPTED, behavior: 'timesHourBack' });
    await faulty.pollFor(2 * MINUTE_MS);
    expect(await findWrong('timesHourBack', ONSET_MS)).toEqual([]);
    faulty.provider.behave(FAULTY_USDOT, 'good');
    await faulty.pollFor(MINUTE_MS);
    await expectTruth();
  });
});
