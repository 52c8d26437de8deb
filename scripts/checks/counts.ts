import { z } from 'zod';

/** How many tests ended how; a static check is one test. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 };

export const sumCounts = (all: Counts[]): Counts =>
  all.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    NO_TESTS,
  );

/** The one line that a run ends with. */
export const toSummaryLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * What a test runner's counts are worth: one that failed as a whole, or found no test to run, has failed at
 * least one, whatever it counted.
 */
export const withRunner = (counts: Counts, exitCode: number | null): Counts =>
  counts.failed === 0 && (exitCode !== 0 || counts.passed === 0) ? { ...counts, failed: 1 } : counts;

const vitestReportSchema = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/** Counts of Vitest's JSON report; a file that failed before any of its tests did counts as one. */
export const toVitestCounts = (report: unknown): Counts => {
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = vitestReportSchema.parse(report);
  const failed = testResults.map(({ status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').length;
    return status === 'failed' ? Math.max(tests, 1) : tests;
  });
  return {
    passed: numPassedTests,
    failed: failed.reduce((sum, count) => sum + count, 0),
    skipped: numPendingTests + numTodoTests,
  };
};

const playwrightReportSchema = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

/** Counts of Playwright's JSON report; a test that passed only sometimes has failed. */
export const toPlaywrightCounts = (report: unknown): Counts => {
  const { expected, unexpected, flaky, skipped } = playwrightReportSchema.parse(report).stats;
  return { passed: expected, failed: unexpected + flaky, skipped };
};
