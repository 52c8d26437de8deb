import { describe, expect, it } from 'vitest';
import { normalizeUnit } from './unit';
import { createSalvageNotes } from './salvage';
import { NOW_MS, createRandom, createRecord, without } from '@/testing/tracking/records';

const read = (record: unknown) => {
  const notes = createSalvageNotes();
  const unit = normalizeUnit(record, 'units[0]', NOW_MS, notes);
  return { unit, report: notes.toReport(), flags: unit?.flags.map(({ flag }) => flag) };
};

const flagTexts = (record: unknown) => read(record).unit?.flags.map(({ text }) => text);

describe('normalizeUnit', () => {
  it('reads a sound record as it is', () => {
    expect(read(createRecord())).toEqual({
      unit: {
        identity: {
          key: '1M8GDM9AXKP042788',
          vin: '1M8GDM9AXKP042788',
          truckNumber: '4107',
          plateState: 'TX',
          plateNumber: 'R48 2107',
          make: 'MCI',
          model: 'D4505',
          year: 1989,
          fuelType: 'Diesel',
          assetType: 'Bus',
          deviceId: 'PT30-0001',
        },
        position: { lat: 35.19938, lng: -101.8453 },
        fixAtMs: NOW_MS - 30_000,
        otherAtMs: NOW_MS - 30_000,
        flags: [],
      },
      report: { dropped: 0, repaired: 0, examples: [] },
      flags: [],
    });
  });

  it('makes characters visible that would turn or hide part of a name', () => {
    const { unit, report } = read(createRecord({ truckNumber: 'A\u202E214\u200B', make: 'Mack\u2066' }));
    expect(unit?.identity).toMatchObject({ truckNumber: 'A\uFFFD214\uFFFD', make: 'Mack\uFFFD' });
    expect(report.repaired).toBe(2);
  });

  it('keeps a unit of which only the VIN is known', () => {
    const { unit, flags, report } = read({ vin: '1M8GDM9AXKP042788' });
    expect(unit).toMatchObject({
      identity: { key: '1M8GDM9AXKP042788', make: null, year: null },
      position: null,
      fixAtMs: null,
    });
    expect(flags).toEqual(['noPosition']);
    expect(report.repaired).toBe(0);
  });

  it('flags a position without a time', () => {
    const { unit, flags } = read(without(createRecord(), 'timestamp', 'unixTimestamp'));
    expect(unit).toMatchObject({ fixAtMs: null, otherAtMs: null });
    expect(flags).toEqual(['clockFault']);
    expect(flagTexts(without(createRecord(), 'timestamp', 'unixTimestamp'))).toEqual([
      'The provider gives its position without a time.',
    ]);
  });

  it('repairs numbers in texts, texts in numbers and a VIN in lower case, and counts them', () => {
    const record = createRecord({
      vin: ' 1m8gdm9axkp042788 ',
      truckNumber: 4107,
      coordinates: { lat: '35.19938', lng: '-101.8453' },
      year: '1989',
    });
    const { unit, report } = read(record);
    expect(unit).toEqual(read(createRecord()).unit);
    expect(report.repaired).toBe(5);
    expect(report.examples).toContain('units[0].coordinates.lat: got "35.19938", read as 35.19938');
  });

  it('reads values of the wrong type as absent', () => {
    const { unit, report } = read(
      createRecord({ make: { name: 'MCI' }, model: true, year: 'new', licensePlate: 7 }),
    );
    expect(unit?.identity).toMatchObject({
      make: null,
      model: null,
      year: null,
      plateState: null,
      plateNumber: '7',
    });
    expect(report.repaired).toBe(4);
  });

  it('keeps a unit without a VIN under its device, else its truck number', () => {
    expect(read(without(createRecord(), 'vin')).unit?.identity).toMatchObject({
      key: 'device:PT30-0001',
      vin: null,
    });
    expect(read(without(createRecord(), 'vin', 'deviceId')).unit?.identity.key).toBe('truck:4107');
  });

  it('does not use a placeholder as the name of a unit, and still shows its text', () => {
    const { unit, flags } = read(createRecord({ vin: 'UNKNOWN' }));
    expect(unit?.identity).toMatchObject({ key: 'device:PT30-0001', vin: 'UNKNOWN' });
    expect(flags).toEqual(['badVin']);
    expect(read(createRecord({ vin: '0'.repeat(17) })).unit?.identity.key).toBe('device:PT30-0001');
    expect(read({ vin: 'UNKNOWN' }).unit?.identity.key).toBe('vin:UNKNOWN');
  });

  it('flags a VIN whose check digit is wrong, and gives the right one', () => {
    const { unit, flags } = read(createRecord({ vin: '1M8GDM9A1KP042788' }));
    expect(unit?.identity.key).toBe('1M8GDM9A1KP042788');
    expect(flags).toEqual(['badVin']);
    expect(unit?.flags[0]?.text).toBe(
      'Its VIN fails its check digit: the 9th character is 1 and should be X.',
    );
  });

  it('never shows a unit at an impossible position, and quotes the provider’s value', () => {
    const at = (lat: unknown, lng: unknown) => createRecord({ coordinates: { lat, lng } });
    for (const record of [
      at(0, 0),
      at(91, 0),
      at(0, -181),
      at(null, 5),
      at('n/a', 5),
      at(NaN, 5),
      at(Infinity, 5),
    ]) {
      expect(read(record)).toMatchObject({ unit: { position: null }, flags: ['noPosition'] });
    }
    expect(flagTexts(at(0, 0))?.[0]).toContain('0, 0');
    expect(flagTexts(at(91, 0))).toEqual(['The provider gives latitude 91, beyond the poles.']);
    expect(flagTexts(createRecord({ coordinates: '35,-101' }))?.[0]).toContain('"35,-101"');
    expect(read(at(0, -101.8)).unit?.position).toEqual({ lat: 0, lng: -101.8 });
  });

  it('makes texts safe for a screen and a URL', () => {
    const { unit } = read(
      createRecord({ vin: null, deviceId: 'a\u0000b\ud800', truckNumber: 'x'.repeat(500) }),
    );
    expect(unit?.identity.deviceId).toBe('a\uFFFDb\uFFFD');
    expect(encodeURIComponent(unit?.identity.key ?? '')).toBe('device%3Aa%EF%BF%BDb%EF%BF%BD');
    expect(unit?.identity.truckNumber).toHaveLength(120);
  });

  it('leaves out what is not a unit, and gives the reason', () => {
    for (const record of [null, 'x', 7, [], {}]) expect(read(record).unit, JSON.stringify(record)).toBeNull();
    expect(read([]).report).toEqual({
      dropped: 1,
      repaired: 0,
      examples: ['units[0]: left out, a list of 0 is not a unit'],
    });
  });

  it('describes the first cases and counts the rest', () => {
    const notes = createSalvageNotes();
    for (let i = 0; i < 25; i++) normalizeUnit(null, `units[${i}]`, NOW_MS, notes);
    expect(notes.toReport()).toMatchObject({ dropped: 25 });
    expect(notes.toReport().examples).toHaveLength(10);
  });

  it('accepts any JSON, and gives valid numbers and texts', () => {
    const random = createRandom(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const scalars = [
      null,
      true,
      '',
      ' ',
      'x',
      '1e400',
      '-0',
      'NaN',
      0,
      -1,
      1e308,
      5e-324,
      1772366370,
      '\ud800',
      'Z'.repeat(99),
    ];
    const fields = [
      ...Object.keys(createRecord()),
      'lat',
      'lng',
      'state',
      'number',
      '__proto__',
      'constructor',
    ];
    const anyJson = (depth: number): unknown => {
      const kind = depth > 3 ? 0 : random();
      if (kind < 0.5) return pick(scalars);
      if (kind < 0.6) return Array.from({ length: 3 }, () => anyJson(depth + 1));
      return Object.fromEntries(Array.from({ length: 8 }, () => [pick(fields), anyJson(depth + 1)]));
    };
    let kept = 0;
    for (let i = 0; i < 1500; i++) {
      const record =
        random() < 0.5
          ? anyJson(0)
          : createRecord({ [pick(fields)]: anyJson(1), [pick(fields)]: anyJson(1) });
      const { unit } = read(JSON.parse(JSON.stringify(record)));
      if (unit === null) continue;
      kept++;
      expect(unit.identity.key).not.toBe('');
      expect(() => encodeURIComponent(unit.identity.key)).not.toThrow();
      if (unit.position !== null) expect(Math.abs(unit.position.lat)).toBeLessThanOrEqual(90);
      if (unit.fixAtMs !== null) expect(() => new Date(unit.fixAtMs ?? NaN).toISOString()).not.toThrow();
    }
    expect(kept).toBeGreaterThan(500);
  });
});
