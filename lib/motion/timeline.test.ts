import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTimeline, tell } from './timeline';

interface Said {
  atMs: number;
  word: string;
}

const KEPT = 3;
const RUNS = { seed: 1956, numRuns: 200 };
const fold = (state: string, { word }: Said): string => state + word;
const tellAll = (records: readonly Said[]) => {
  const timeline = createTimeline<string, Said>('');
  for (const record of records) tell(timeline, record, fold, KEPT);
  return timeline;
};
const says = (letters: string): Said[] => [...letters].map((word, i) => ({ atMs: i, word }));

/** An order in which no record comes after more than `most` newer ones. */
const lateOrders = (letters: string, most: number) =>
  fc
    .array(fc.integer({ min: 0, max: most }), { minLength: letters.length, maxLength: letters.length })
    .map((delays) =>
      says(letters)
        .map((record, i) => ({ record, due: i + delays[i]! + 0.5 * Number(delays[i]! > 0) }))
        .sort((a, b) => a.due - b.due)
        .map(({ record }) => record),
    );

describe('a timeline', () => {
  test('gives the same state whatever order a few records arrive in', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(says('abcde'), { minLength: 5 }), (records) => {
        expect(tellAll(records).state).toBe('abcde');
      }),
      RUNS,
    );
  });

  test('gives the same state indefinitely, as long as none is overtaken by more than a few', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    fc.assert(
      fc.property(lateOrders(letters, KEPT - 1), (records) => {
        expect(tellAll(records).state).toBe(letters);
      }),
      RUNS,
    );
  });

  test('keeps at most twice as many records as it replays', () => {
    expect(tellAll(says('abcdefghijklmnop')).told.length).toBeLessThan(2 * KEPT + 1);
  });

  test('keeps only the newest record where late ones are to be left out', () => {
    const timeline = createTimeline<string, Said>('');
    for (const record of says('abcd')) tell(timeline, record, fold, 0);
    tell(timeline, { atMs: 1.5, word: '!' }, fold, 0);
    expect(timeline).toMatchObject({ state: 'abcd', told: [{ word: 'd' }] });
  });

  test('leaves out a record that is too late, and a repeated one', () => {
    const timeline = tellAll(says('abcdefghijkl'));
    tell(timeline, { atMs: 0.5, word: '!' }, fold, KEPT);
    tell(timeline, { atMs: 10, word: '?' }, fold, KEPT);
    expect(timeline.state).toBe('abcdefghijkl');
  });
});
