import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createListReader } from './http/list-reader';
import { parseUnits } from '@/testing/tracking/parse-units';
import { clockOf } from '@/testing/clock';
import { NOW_MS, createRecord } from '@/testing/tracking/records';
import { createUnitsParser } from './units-parser';

const USDOT = '9000001';
const RUNS = { numRuns: 2000 };

/** Values that are known to break parsers. */
const nasty = fc.oneof(
  fc.jsonValue(),
  fc.double(),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-0',
    '1e999',
    'NaN',
    '0x10',
    '٣',
    '\uD800',
    '\u0000',
    '__proto__',
    '🚚'.repeat(80),
  ),
  fc.constantFrom<unknown>(
    -0,
    1e308,
    -1e308,
    2 ** 53,
    1e11,
    99_999_999_999,
    null,
    true,
    [],
    {},
    [[]],
    [null],
  ),
  fc.constantFrom('2026-03-01T12:00:00Z', '2026-02-30T12:00:00Z', '2026-03-01', '1M8GDM9AXKP042788'),
);

const FIELDS = [...Object.keys(createRecord()), 'usdot', '__proto__', 'constructor', 'toString'];

/** A unit as a provider might send it: valid in part, each field of any value. */
const record = fc
  .array(fc.tuple(fc.constantFrom(...FIELDS), nasty), { maxLength: 12 })
  .chain((fields) =>
    fc
      .constantFrom({}, createRecord())
      .map((base) => Object.assign(Object.create(null), base, Object.fromEntries(fields)) as object),
  );

const coordinates = fc
  .record({ lat: nasty, lng: nasty }, { requiredKeys: [] })
  .map((value) => createRecord({ coordinates: value }));
const list = fc.array(fc.oneof(record, coordinates, nasty), { maxLength: 12 });

const answer = fc.oneof(
  nasty,
  list,
  list.map((units) => ({ units })),
  fc
    .tuple(
      list,
      fc.dictionary(fc.constantFrom('error', 'errors', 'status', 'success', 'usdot', 'units', 'x'), nasty),
    )
    .map(([units, around]) => ({ units, ...around })),
);

const isFinite = (value: number | null): boolean => value === null || Number.isFinite(value);

/** The invariants that every part of the application relies on, for any input. */
const expectSound = ({ units, report, unreadable, fault }: ReturnType<typeof parseUnits>): void => {
  const keys = units.map(({ identity }) => identity.key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { identity, position, fixAtMs, flags } of units) {
    expect(identity.key).not.toBe('');
    for (const [name, value] of Object.entries(identity)) {
      expect(value === null || typeof value === (name === 'year' ? 'number' : 'string'), name).toBe(true);
    }
    expect(isFinite(fixAtMs)).toBe(true);
    expect(position === null || (Math.abs(position.lat) <= 90 && Math.abs(position.lng) <= 180)).toBe(true);
    expect(position === null && !flags.some(({ flag }) => flag === 'noPosition')).toBe(false);
  }
  expect(report.examples.length).toBeLessThanOrEqual(10);
  for (const example of report.examples) expect(example.length).toBeLessThan(600);
  expect(report.dropped).toBeGreaterThanOrEqual(unreadable);
  expect(unreadable).toBeGreaterThanOrEqual(0);
  expect(fault === null || fault.message.length < 500).toBe(true);
  // It crosses from one thread to another.
  expect(structuredClone(units)).toEqual(units);
};

describe('parseUnits', () => {
  it('returns units and a report and never throws, whatever JSON it is given', () => {
    fc.assert(
      fc.property(answer, (json) => expectSound(parseUnits(json, USDOT, NOW_MS))),
      RUNS,
    );
  });

  it('gives the same for a text that is read as it arrives, however it is split', () => {
    const property = fc.property(answer, fc.integer({ min: 1, max: 60 }), (json, piece) => {
      const text = JSON.stringify(json) ?? 'null';
      const parser = createUnitsParser(
        USDOT,
        clockOf(() => NOW_MS),
      );
      const reader = createListReader('units', parser.take);
      for (let i = 0; i < text.length; i += piece) reader.push(text.slice(i, i + piece));
      expect(parser.end(reader.end())).toEqual(parseUnits(JSON.parse(text), USDOT, NOW_MS));
    });
    fc.assert(property, { ...RUNS, numRuns: 500 });
  });

  it('loses no good unit to any number of bad records around it', () => {
    const property = fc.property(list, list, (before, after) => {
      const good = createRecord({ vin: '1FUJGLDR0NLM12041', deviceId: 'the-good-one' });
      const { units } = parseUnits({ units: [...before, good, ...after] }, USDOT, NOW_MS);
      const found = units.find(({ identity }) => identity.deviceId === 'the-good-one');
      expect(found).toMatchObject({ position: { lat: 35.19938, lng: -101.8453 }, fixAtMs: NOW_MS - 30_000 });
    });
    fc.assert(property, { ...RUNS, numRuns: 500 });
  });
});

describe('an error inside a success', () => {
  const faultOf = (json: unknown) => parseUnits(json, USDOT, NOW_MS).fault;

  it('is found in each of its known forms', () => {
    const answers: [unknown, string][] = [
      [{ error: 'store down', units: [] }, '"store down"'],
      [{ error: { message: 'store down', code: 7 } }, '"store down"'],
      [{ error: { code: 'E7' } }, '"E7"'],
      [{ errors: [{ message: 'first' }, { message: 'second' }], units: [] }, '"first"'],
      [{ success: false, message: 'not now', units: [] }, '"not now"'],
      [{ ok: false }, 'nothing'],
      [{ status: 'error', message: 'x' }, '"x"'],
      [{ status: 503, units: [] }, 'nothing'],
    ];
    for (const [json, text] of answers) {
      const expected = { kind: 'errorInside', message: `got an error inside a success: ${text}` };
      expect(faultOf(json), JSON.stringify(json)).toEqual(expected);
    }
  });

  it('is not found where there is none', () => {
    for (const around of [
      { error: null },
      { errors: [] },
      { errors: {} },
      { error: 0 },
      { status: 200 },
      { status: 'ok' },
    ])
      expect(faultOf({ units: [], ...around }), JSON.stringify(around)).toBeNull();
  });

  it('does not cost the units that came with it, and is reported', () => {
    const { units, report, fault, errorBeside } = parseUnits(
      { error: '3 devices late', units: [createRecord()] },
      USDOT,
      NOW_MS,
    );
    expect(units).toHaveLength(1);
    expect(fault).toBeNull();
    expect(errorBeside).toBe('"3 devices late"');
    expect(parseUnits({ units: [createRecord()] }, USDOT, NOW_MS).errorBeside).toBeNull();
    expect(report.examples).toEqual(['error: got "3 devices late", read as nothing']);
  });
});

it('takes an answer for another fleet’s only where it names that fleet itself', () => {
  const faultOf = (usdot: unknown) => parseUnits({ usdot, units: [createRecord()] }, USDOT, NOW_MS).fault;
  expect(faultOf('9000002')).toEqual({
    kind: 'mismatch',
    message: 'got the units of USDOT 9000002 when those of 9000001 are expected',
  });
  for (const own of ['9000001', 9000001, '0009000001', null, 'unknown']) expect(faultOf(own)).toBeNull();
});
