import { describe, expect, it } from 'vitest';
import { createTestFleet } from '@/testing/view/fleet';
import { shortestMs } from '@/testing/processor-time';
import { createMarks, marksOf, withMarks, type UnitNote } from './marks';

const VIN = '1M8GDM9AXKP042788';
const toNote = (id: number, unit: string, text = `note ${id}`): UnitNote => ({
  ...{ id, unit, text, author: 'Ann', createdMs: 0, expiresMs: null },
});
const fleet = createTestFleet([
  { key: VIN, vin: VIN, deviceId: 'D1' },
  { key: 'truck:7', truckNumber: '7' },
  null,
]);
const textsOf = (shown: typeof fleet) =>
  shown.identities.map((identity) => identity && marksOf(identity).notes.map(({ text }) => text));

describe('the marks of a fleet', () => {
  it('are in the identity of their unit, also under a key that the unit had before its VIN was known', () => {
    const marks = createMarks([toNote(3, VIN), toNote(2, 'device:D1'), toNote(1, 'truck:7')], []);
    expect(textsOf(withMarks(fleet, marks))).toEqual([['note 3', 'note 2'], ['note 1'], null]);
    expect(textsOf(fleet)).toEqual([[], [], null]);
  });

  it('list the tags of a unit in their order', () => {
    const marks = createMarks(
      [],
      [
        { tag: 'night shift', units: [VIN] },
        { tag: 'flatbeds', units: [VIN, 'device:D1'] },
      ],
    );
    expect(marksOf(withMarks(fleet, marks).identities[0]!).tags).toEqual(['flatbeds', 'night shift']);
  });

  it('keep each list and each identity whose marks are the same', () => {
    const notes = [toNote(1, VIN)];
    const before = withMarks(fleet, createMarks(notes, []));
    const marks = createMarks([...notes, toNote(2, 'truck:7')], []);
    const after = withMarks(fleet, marks);
    expect(withMarks({ ...fleet, version: 'e.2' }, marks).identities).toBe(after.identities);
    expect(after.identities[0]).toBe(before.identities[0]);
    expect(after.identities[1]).not.toBe(before.identities[1]);
    expect(withMarks(fleet, createMarks([], [])).identities[0]).toBe(fleet.identities[0]);
  });

  it('of 1,000 notes are found in 100,000 units within a frame or two', () => {
    const large = createTestFleet(
      Array.from({ length: 100_000 }, (_, n) => ({ key: `VIN${n}`, vin: `VIN${n}` })),
    );
    const notes = Array.from({ length: 1000 }, (_, n) => toNote(n, `VIN${n * 100}`));
    const tookMs = shortestMs(() => {
      // Marks that it has not seen: those of the run before are found already.
      const { identities } = withMarks(large, createMarks(notes, []));
      expect(identities.filter((identity) => marksOf(identity!).notes.length > 0)).toHaveLength(1000);
    });
    expect(tookMs).toBeLessThan(100);
  });
});
