import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTimeline, append } from './timeline';

interface Letter {
  atMs: number;
  word: string;
}

const KEPT = 3;
const RUNS = { numRuns: 200 };
const fold = (state: string, { word }: Letter): string => state + word;
const appendAll = (records: readonly Letter[]) => {
  const timeline = createTimeline<string, Letter>('');
  for (const record of records) append(timeline, record, fold, KEPT);
  return timeline;
};
const lettersOf = (letters: string): Letter[] => [...letters].map((word, i) => ({ atMs: i, word }));

/** An order in which no record comes after more than `most` newer ones. */
const lateOrders = (letters: string, most: number) =>
  fc
    .array(fc.integer({ min: 0, max: most }), { minLength: letters.length, maxLength: letters.length })
    .map((delays) =>
      lettersOf(letters)
        .map((record, i) => ({ record, due: i + delays[i]! + 0.5 * Number(delays[i]! > 0) }))
        .sort((a, b) => a.due - b.due)
        .map(({ record }) => record),
    );

describe('a timeline', () => {
  test('gives the same state whatever order a few records arrive in', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(lettersOf('abcde'), { minLength: 5 }), (records) => {
        expect(appendAll(records).state).toBe('abcde');
      }),
      RUNS,
    );
  });

  test('gives the same state indefinitely, as long as none is overtaken by more than a few', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    fc.assert(
      fc.property(lateOrders(letters, KEPT - 1), (records) => {
        expect(appendAll(records).state).toBe(letters);
      }),
      RUNS,
    );
  });

  test('keeps at most twice as many records as it replays', () => {
    expect(appendAll(lettersOf('abcdefghijklmnop')).records.length).toBeLessThan(2 * KEPT + 1);
  });

  test('keeps only the newest record where late ones are to be left out', () => {
    const timeline = createTimeline<string, Letter>('');
    for (const record of lettersOf('abcd')) append(timeline, record, fold, 0);
    append(timeline, { atMs: 1.5, word: '!' }, fold, 0);
    expect(timeline).toMatchObject({ state: 'abcd', records: [{ word: 'd' }] });
  });

  test('leaves out a record that is too late, and a repeated one', () => {
    const timeline = appendAll(lettersOf('abcdefghijkl'));
    append(timeline, { atMs: 0.5, word: '!' }, fold, KEPT);
    append(timeline, { atMs: 10, word: '?' }, fold, KEPT);
    expect(timeline.state).toBe('abcdefghijkl');
  });
});
