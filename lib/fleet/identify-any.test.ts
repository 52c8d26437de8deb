import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { parseUnits } from '@/testing/tracking/parse-units';
import { createScriptedUnits, toApiRecord } from '@/testing/tracking/scripted-units';
import { FleetTracker } from './fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { startStopwatch } from '@/testing/processor-time';
import { IS_LONG } from '@/testing/long';

const USDOT = '9000001';
const VINS = createScriptedUnits(3).map(({ vin }) => vin);

const record = fc.record({
  vin: fc.constantFrom(null, null, 'UNKNOWN', ...VINS, `${VINS[0]!.slice(0, 16)}9`),
  deviceId: fc.constantFrom(null, '0', 'A', 'B', 'B#1'),
  truckNumber: fc.constantFrom(null, '0', '1', '2'),
  licensePlate: fc.constantFrom(null, { state: 'TX', number: '1' }, { state: 'TX', number: '2' }),
  coordinates: fc.constantFrom(
    null,
    { lat: 30, lng: -101 },
    { lat: 30.001, lng: -101 },
    { lat: 40, lng: -90 },
  ),
});

describe('every record of every answer', () => {
  it('is in a row of its own, or counted and named, whatever was known before', () => {
    const answers = fc.array(fc.array(record, { maxLength: 12 }), { minLength: 2, maxLength: 8 });
    const property = fc.property(answers, fc.boolean(), (said, hasRoster) => {
      const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, USDOT);
      said.forEach((fields, minute) => {
        const nowMs = START_MS + minute * MINUTE_MS;
        // Every record is new and marked, so that a mark is lost where two records share a row.
        const records = fields.map((each, i) => ({
          ...each,
          make: `record ${minute}/${i}`,
          unixTimestamp: nowMs / 1000,
        }));
        const { units, report, unreadable } = parseUnits({ units: records }, USDOT, nowMs);
        expect(units.length + report.dropped).toBe(records.length);
        tracker.observe(units, hasRoster ? new Set(VINS) : null, nowMs, unreadable);
        const shown = tracker.copyRows().identities.flatMap((identity) => identity ?? []);
        const makes = shown.map(({ make }) => make);
        for (const { identity } of units) expect(makes).toContain(identity.make);
        expect(new Set(shown.map(({ key }) => key)).size).toBe(shown.length);
        for (const { key } of shown) expect(tracker.detail(key, 'e.1')?.identity.key).toBe(key);
      });
    });
    fc.assert(property, { numRuns: IS_LONG ? 400 : 25 });
  }, 60_000);

  it('has evidence that names and counts no other unit for a viewer of some trucks', () => {
    const answers = fc.array(fc.array(record, { maxLength: 12 }), { minLength: 2, maxLength: 6 });
    const property = fc.property(answers, (said) => {
      const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, USDOT);
      said.forEach((fields, minute) => {
        const nowMs = START_MS + minute * MINUTE_MS;
        const records = fields.map((each) => ({ ...each, unixTimestamp: nowMs / 1000 }));
        tracker.observe(parseUnits({ units: records }, USDOT, nowMs).units, new Set(VINS), nowMs);
        const keys = tracker.copyRows().identities.flatMap((identity) => identity?.key ?? []);
        for (const key of keys) {
          const { identity, flags } = tracker.detail(key, 'e.1')!;
          const others = VINS.filter((vin) => vin !== identity.vin);
          for (const { text, seenText = text } of flags) {
            expect(seenText).not.toMatch(/\d+ (?:records|VINs)/);
            for (const vin of others) expect(seenText).not.toContain(vin);
            expect(seenText.replaceAll(key, '')).not.toMatch(/(?:device|truck|plate|vin):/);
          }
        }
      });
    });
    fc.assert(property, { numRuns: IS_LONG ? 200 : 25 });
  });

  it('of a sound fleet is the same unit after any answers without VINs, with typos or with shared devices', () => {
    const fleet = createScriptedUnits(12);
    const vins = new Set(fleet.map(({ vin }) => vin));
    const change = fc.constantFrom({}, {}, { vin: null }, { vin: 'N/A' }, { vin: null, licensePlate: null });
    const answer = fc.array(fc.tuple(fc.integer(), change), { minLength: 12, maxLength: 12 });
    const property = fc.property(fc.array(answer, { minLength: 1, maxLength: 10 }), (said) => {
      const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, USDOT);
      [fleet.map((): [number, object] => [0, {}]), ...said].forEach((changes, minute) => {
        const nowMs = START_MS + minute * MINUTE_MS;
        const records = fleet
          .map((unit, i) => ({
            order: changes[i]![0],
            record: { ...toApiRecord(unit, nowMs), ...changes[i]![1] },
          }))
          .sort((a, b) => a.order - b.order)
          .map((each) => each.record);
        tracker.observe(parseUnits({ units: records }, USDOT, nowMs).units, vins, nowMs);
        const { identities } = tracker.copyRows();
        expect(identities.map((identity) => identity?.key).sort()).toEqual([...vins].sort());
      });
    });
    fc.assert(property, { numRuns: IS_LONG ? 200 : 25 });
  }, 60_000);

  it('costs less than 1.5 s of processor time for 5,000 units that all lost their VIN', () => {
    const COUNT = 5000;
    const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, USDOT);
    const fleet = createScriptedUnits(COUNT, 100_000);
    const observe = (minute: number, change: object): number => {
      const nowMs = START_MS + minute * MINUTE_MS;
      const records = fleet.map((unit) => ({ ...toApiRecord(unit, nowMs), ...change }));
      const { units } = parseUnits({ units: records }, USDOT, nowMs);
      const readMs = startStopwatch();
      tracker.compare(units, null, nowMs);
      tracker.observe(units, null, nowMs);
      return readMs();
    };
    const shared = { vin: null, deviceId: 'ONE' };
    const changes = [{}, { vin: null }, { vin: null }, shared, shared, {}, { vin: null, deviceId: '0' }];
    const tookMs = changes.map((change, minute) => observe(minute, change));
    // Comparing each record with each unit costs several times as much.
    expect(Math.max(...tookMs), tookMs.map(Math.round).join()).toBeLessThan(1500);
    expect(tracker.copyRows().identities.filter(Boolean)).toHaveLength(COUNT);
  }, 60_000);
});
