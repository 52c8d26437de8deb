import { expect, test } from 'vitest';
import { sumCounts, toPlaywrightCounts, toSummaryLine, toVitestCounts, withRunner } from './counts';

test('ends with passed and failed, and with skipped where there are some', () => {
  expect(toSummaryLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
  expect(toSummaryLine({ passed: 12, failed: 3, skipped: 1 })).toBe('12 passed, 3 failed, 1 skipped');
});

test('adds the counts of all stages', () => {
  const one = { passed: 1, failed: 2, skipped: 3 };
  expect(sumCounts([one, one])).toEqual({ passed: 2, failed: 4, skipped: 6 });
  expect(sumCounts([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
});

test('a runner that crashed or ran nothing has failed, though it counted no failure', () => {
  expect(withRunner({ passed: 5, failed: 0, skipped: 0 }, 1).failed).toBe(1);
  expect(withRunner({ passed: 5, failed: 0, skipped: 0 }, null).failed).toBe(1);
  expect(withRunner({ passed: 0, failed: 0, skipped: 4 }, 0).failed).toBe(1);
  expect(withRunner({ passed: 5, failed: 2, skipped: 0 }, 1).failed).toBe(2);
  expect(withRunner({ passed: 5, failed: 0, skipped: 0 }, 0).failed).toBe(0);
});

test('counts a file of Vitest that could not be loaded as one failure', () => {
  const report = {
    numPassedTests: 7,
    numPendingTests: 1,
    numTodoTests: 2,
    testResults: [
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
      {
        status: 'failed',
        assertionResults: [{ status: 'failed' }, { status: 'failed' }, { status: 'passed' }],
      },
      { status: 'failed', assertionResults: [] },
    ],
  };
  expect(toVitestCounts(report)).toEqual({ passed: 7, failed: 3, skipped: 3 });
});

test('counts a test of Playwright that passed only sometimes as failed', () => {
  const report = { stats: { expected: 9, unexpected: 1, flaky: 2, skipped: 4 } };
  expect(toPlaywrightCounts(report)).toEqual({ passed: 9, failed: 3, skipped: 4 });
});

test('refuses a report of another shape', () => {
  expect(() => toVitestCounts({ stats: {} })).toThrow();
  expect(() => toPlaywrightCounts({})).toThrow();
});
