import { expect, test } from 'vitest';
import {
  NO_TESTS,
  sumCounts,
  toPlaywrightCounts,
  toSlowestLines,
  toSummaryLine,
  toVitestCounts,
  withRunner,
} from './counts';

test('ends with passed and failed, and with skipped if there are any', () => {
  expect(toSummaryLine({ ...NO_TESTS, passed: 12 })).toBe('12 passed, 0 failed');
  expect(toSummaryLine({ ...NO_TESTS, passed: 12, skipped: 1, failures: ['a', 'b', 'c'] })).toBe(
    '12 passed, 3 failed, 1 skipped',
  );
});

test('adds the counts of all stages', () => {
  const [one, other] = [
    { name: 'a', seconds: 1 },
    { name: 'b', seconds: 2 },
  ];
  expect(
    sumCounts([
      { passed: 1, skipped: 3, failures: ['types'], timings: [one!] },
      { passed: 2, skipped: 0, failures: ['a.test.ts › b'], timings: [other!] },
    ]),
  ).toEqual({ passed: 3, skipped: 3, failures: ['types', 'a.test.ts › b'], timings: [one, other] });
  expect(sumCounts([])).toEqual(NO_TESTS);
});

test('lists the slowest tests of all runners together', () => {
  const timings = [
    { name: 'a.test.ts › adds', seconds: 0.25 },
    { name: 'map.spec.ts:7 › pans', seconds: 12 },
    { name: 'b.test.ts › waits', seconds: 3 },
  ];
  expect(toSlowestLines(timings, 2)).toEqual([
    '   12.0 s  map.spec.ts:7 › pans',
    '    3.0 s  b.test.ts › waits',
  ]);
});

test('a runner that crashed or ran nothing has failed, though it counted no failure', () => {
  const sound = { ...NO_TESTS, passed: 5 };
  expect(withRunner('Tests', sound, 1).failures).toEqual(['Tests: ended with 1']);
  expect(withRunner('Tests', sound, null).failures).toEqual(['Tests: ended with no exit code']);
  expect(withRunner('Tests', { ...NO_TESTS, skipped: 4 }, 0).failures).toEqual(['Tests: no test passed']);
  expect(withRunner('Tests', { ...sound, failures: ['one', 'two'] }, 1).failures).toEqual(['one', 'two']);
  expect(withRunner('Tests', sound, 0).failures).toEqual([]);
});

test('counts a file of Vitest that could not be loaded as one failure, with the reason of each failure', () => {
  const report = {
    numPassedTests: 7,
    numPendingTests: 1,
    numTodoTests: 2,
    testResults: [
      {
        name: '/house/lib/a.test.ts',
        status: 'passed',
        assertionResults: [{ status: 'passed', fullName: 'works', duration: 1500 }],
      },
      {
        name: '/house/b.test.ts',
        status: 'failed',
        assertionResults: [
          {
            status: 'failed',
            fullName: 'adds',
            duration: 20,
            failureMessages: ['Error: expected 1\n\n    at b.test.ts:3'],
          },
          { status: 'failed', fullName: 'takes away', failureMessages: [] },
        ],
      },
      { name: '/house/c.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    ],
  };
  expect(toVitestCounts(report, '/house')).toEqual({
    passed: 7,
    skipped: 3,
    failures: [
      'b.test.ts › adds\n    Error: expected 1\n        at b.test.ts:3',
      'b.test.ts › takes away',
      'c.test.ts\n    Cannot find module',
    ],
    timings: [
      { name: 'lib/a.test.ts › works', seconds: 1.5 },
      { name: 'b.test.ts › adds', seconds: 0.02 },
      { name: 'b.test.ts › takes away', seconds: 0 },
    ],
  });
});

const toSpec = (title: string, status: string, message?: string) => ({
  file: 'map.spec.ts',
  line: 7,
  title,
  tests: [
    {
      projectName: 'alone',
      status,
      results: [{ duration: 2000, error: message === undefined ? undefined : { message } }],
    },
  ],
});

test('names each failure of Playwright in any suite, and counts a second attempt as a failure', () => {
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
    passed: 9,
    skipped: 4,
    failures: [
      'alone map.spec.ts:7 › pans\n    Error: no frame',
      'alone map.spec.ts:7 › zooms\n    Error: late',
      'outside any test\n    Error: the server did not start',
    ],
    timings: ['draws', 'pans', 'zooms', 'flies'].map((title) => ({
      name: `alone map.spec.ts:7 › ${title}`,
      seconds: 2,
    })),
  });
});

test('refuses a report of another shape', () => {
  expect(() => toVitestCounts({ stats: {} })).toThrow();
  expect(() => toPlaywrightCounts({})).toThrow();
});
