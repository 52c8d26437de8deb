import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createListReader } from './list-reader';

/** Reads a text in pieces of a given length: the records that it took, and the text around them. */
const read = (text: string, pieceCharacters = text.length) => {
  const records: unknown[] = [];
  const reader = createListReader('units', (taken) => records.push(...taken));
  for (let i = 0; i < text.length; i += Math.max(1, pieceCharacters))
    reader.push(text.slice(i, i + Math.max(1, pieceCharacters)));
  const around = reader.end();
  return { records, around };
};

const without = (others: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'units'));

describe('createListReader', () => {
  it('gives what JSON.parse gives, however the text is split', () => {
    const property = fc.property(
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(0, 2),
      fc.integer({ min: 1, max: 40 }),
      (units, others, indent, pieceCharacters) => {
        const objects = [
          { units, ...without(others) },
          { ...without(others), units },
        ];
        for (const json of [...objects, units]) {
          const text = JSON.stringify(json, null, indent);
          const { records, around } = read(text, pieceCharacters);
          expect(Array.isArray(json) ? records : { ...(around as object), units: records }).toEqual(
            JSON.parse(text),
          );
        }
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('gives records before the text has ended', () => {
    const taken: unknown[] = [];
    const reader = createListReader('units', (records) => taken.push(...records));
    reader.push('{"units":[{"vin":"a,]}"},{"vin":"b"},{"v');
    expect(taken).toEqual([{ vin: 'a,]}' }, { vin: 'b' }]);
    reader.push('in":"c"}]');
    expect(taken).toHaveLength(3);
    reader.push(',"more":1}');
    expect(reader.end()).toEqual({ units: [], more: 1 });
  });

  it('returns a text without a list as it is', () => {
    for (const json of [null, 7, 'units', {}, { units: null }, { units: { vin: 'a' } }, { error: 'x' }])
      expect(read(JSON.stringify(json), 3)).toEqual({ records: [], around: json });
  });

  it('refuses what JSON.parse refuses, however the text is split', () => {
    const broken = [
      '',
      '{"units":[',
      '{"units":[1,2',
      '{"units":[1,]}',
      '{"units":[,1]}',
      '{"units":[1,,2]}',
      '{"units":[1 2]}',
      '{"units":[{"a":1]}',
      '{"units":[1}}',
      '{"units":[1]',
      '{"units":[1]}}',
      '{"units":["a]}',
      '[1,2]x',
      '<html>',
    ];
    for (const text of broken) {
      expect(() => JSON.parse(text), text).toThrow(SyntaxError);
      for (const piece of [1, 2, 3, 100]) expect(() => read(text, piece), text).toThrow(SyntaxError);
    }
  });

  it('does not choose between two lists of units', () => {
    expect(() => read('{"units":[1],"units":[2]}')).toThrow('twice');
    expect(() => read('{"units":[1],"units":null}')).toThrow('twice');
  });
});
