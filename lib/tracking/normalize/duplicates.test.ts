import { describe, expect, it } from 'vitest';
import { mergeDuplicates } from './duplicates';
import { normalizeUnit } from './unit';
import { createSalvageNotes } from './salvage';
import { NOW_MS, createRecord } from '@/testing/tracking/records';

const at = (secondsAgo: number, changes: Record<string, unknown> = {}) =>
  createRecord({ timestamp: null, unixTimestamp: NOW_MS / 1000 - secondsAgo, ...changes });

const merge = (...records: unknown[]) => {
  const notes = createSalvageNotes();
  const units = records.flatMap((record, i) => normalizeUnit(record, `units[${i}]`, NOW_MS, notes) ?? []);
  return { units: mergeDuplicates(units, NOW_MS, notes), report: notes.toReport() };
};

describe('mergeDuplicates', () => {
  it('leaves units of different VINs alone', () => {
    const { units, report } = merge(at(10), at(20, { vin: '11111111111111112' }));
    expect(units).toHaveLength(2);
    expect(report.dropped).toBe(0);
  });

  it('keeps the newer fix of a VIN in either order, and flags the unit with both', () => {
    for (const records of [
      [at(60, { deviceId: 'old' }), at(10, { deviceId: 'new' })],
      [at(10, { deviceId: 'new' }), at(60, { deviceId: 'old' })],
    ]) {
      const { units, report } = merge(...records);
      expect(units).toHaveLength(1);
      expect(units[0]).toMatchObject({ identity: { deviceId: 'new' }, fixAtMs: NOW_MS - 10_000 });
      expect(units[0]?.flags).toEqual([
        {
          flag: 'duplicateVin',
          text: 'The provider lists this VIN 2 times: also as device old at 2026-03-01 11:59:00 UTC.',
          seenText: 'The provider lists this VIN 2 times.',
        },
      ]);
      expect(report.dropped).toBe(1);
    }
  });

  it('never takes a fix from the future, or one without a position, for the newer', () => {
    expect(merge(at(60), at(-3600)).units[0]?.fixAtMs).toBe(NOW_MS - 60_000);
    expect(merge(at(10, { coordinates: null }), at(60)).units[0]?.fixAtMs).toBe(NOW_MS - 60_000);
  });

  it('merges records of one device without calling it a duplicate VIN', () => {
    const { units } = merge(at(60, { vin: null }), at(10, { vin: null }));
    expect(units).toHaveLength(1);
    expect(units[0]?.flags).toEqual([]);
  });
});
