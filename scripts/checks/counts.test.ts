import { expect, test } from 'vitest';
import { NO_TESTS, sumCounts, toPlaywrightCounts, toSummaryLine, toVitestCounts, withRunner } from './counts';

test('ends with passed and failed, and with skipped where there are some', () => {
  expect(toSummaryLine({ ...NO_TESTS, passed: 12 })).toBe('12 passed, 0 failed');
  expect(toSummaryLine({ ...NO_TESTS, passed: 12, skipped: 1, failures: ['a', 'b', 'c'] })).toBe(
    '12 passed, 3 failed, 1 skipped',
  );
});

test('adds the counts of all stages', () => {
  expect(
    sumCounts([
      { passed: 1, skipped: 3, failures: ['types'], retried: ['c'] },
      { passed: 2, skipped: 0, failures: ['a.test.ts › b'], retried: ['d'] },
    ]),
  ).toEqual({ passed: 3, skipped: 3, failures: ['types', 'a.test.ts › b'], retried: ['c', 'd'] });
  expect(sumCounts([])).toEqual(NO_TESTS);
});

test('a runner that crashed or ran nothing has failed, though it counted no failure', () => {
  const sound = { ...NO_TESTS, passed: 5 };
  expect(withRunner('Tests', sound, 1).failures).toEqual(['Tests: ended with 1']);
  expect(withRunner('Tests', sound, null).failures).toEqual(['Tests: ended with no exit code']);
  expect(withRunner('Tests', { ...NO_TESTS, skipped: 4 }, 0).failures).toEqual(['Tests: no test passed']);
  expect(withRunner('Tests', { ...sound, failures: ['one', 'two'] }, 1).failures).toEqual(['one', 'two']);
  expect(withRunner('Tests', sound, 0).failures).toEqual([]);
});

test('counts a file of Vitest that could not be loaded as one failure, and says why each failed', () => {
  const report = {
    numPassedTests: 7,
    numPendingTests: 1,
    numTodoTests: 2,
    testResults: [
      { name: 'a.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'works' }] },
      {
        name: 'b.test.ts',
        status: 'failed',
        assertionResults: [
          {
            status: 'failed',
            fullName: 'adds',
            failureMessages: ['Error: expected 1\n\n    at b.test.ts:3'],
          },
          { status: 'failed', fullName: 'takes away', failureMessages: [] },
          { status: 'passed', fullName: 'works' },
        ],
      },
      { name: 'c.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    ],
  };
  expect(toVitestCounts(report)).toEqual({
    passed: 7,
    skipped: 3,
    retried: [],
    failures: [
      'b.test.ts › adds\n    Error: expected 1\n        at b.test.ts:3',
      'b.test.ts › takes away',
      'c.test.ts\n    Cannot find module',
    ],
  });
});

const toSpec = (title: string, status: string, message?: string) => ({
  file: 'map.spec.ts',
  line: 7,
  title,
  tests: [{ status, results: [{ error: message === undefined ? undefined : { message } }, {}] }],
});

test('names each failure of Playwright wherever it stands, and who passed at a second attempt only', () => {
  const report = {
    stats: { expected: 9, unexpected: 1, flaky: 1, skipped: 4 },
    suites: [
      {
        specs: [toSpec('draws', 'expected'), toSpec('pans', 'unexpected', 'Error: no frame')],
        suites: [{ specs: [toSpec('zooms', 'flaky', 'Error: late'), toSpec('flies', 'skipped')] }],
      },
    ],
    errors: [{ message: 'Error: the server did not start' }],
  };
  expect(toPlaywrightCounts(report)).toEqual({
    passed: 10,
    skipped: 4,
    failures: [
      'map.spec.ts:7 › pans\n    Error: no frame',
      'outside any test\n    Error: the server did not start',
    ],
    retried: ['map.spec.ts:7 › zooms\n    Error: late'],
  });
});

test('counts them all as failures where more than two needed a second attempt', () => {
  const specs = ['a', 'b', 'c'].map((title) => toSpec(title, 'flaky', 'Error: late'));
  const counts = toPlaywrightCounts({ stats: { expected: 9, skipped: 0 }, suites: [{ specs }], errors: [] });
  expect(counts).toMatchObject({ passed: 9, retried: [] });
  expect(counts.failures).toHaveLength(3);
});

test('refuses a report of another shape', () => {
  expect(() => toVitestCounts({ stats: {} })).toThrow();
  expect(() => toPlaywrightCounts({})).toThrow();
});
