import { z } from 'zod';

/**
 * How many tests passed or were skipped, and in words each failure and each that passed at its second attempt only; a
 * static check is one test.
 */
export interface Counts {
  passed: number;
  skipped: number;
  failures: string[];
  retried: string[];
}

export const NO_TESTS: Counts = { passed: 0, skipped: 0, failures: [], retried: [] };

export const sumCounts = (all: Counts[]): Counts =>
  all.reduce(
    (sum, { passed, skipped, failures, retried }) => ({
      passed: sum.passed + passed,
      skipped: sum.skipped + skipped,
      failures: [...sum.failures, ...failures],
      retried: [...sum.retried, ...retried],
    }),
    NO_TESTS,
  );

/** The one line that a run ends with. */
export const toSummaryLine = ({ passed, skipped, failures }: Counts): string =>
  `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * What a test runner's counts are worth: one that failed as a whole, or found no test to run, has failed at
 * least one, whatever it counted.
 */
export const withRunner = (title: string, counts: Counts, exitCode: number | null): Counts => {
  if (counts.failures.length > 0 || (exitCode === 0 && counts.passed > 0)) return counts;
  const why = counts.passed === 0 ? 'no test passed' : `ended with ${exitCode ?? 'no exit code'}`;
  return { ...counts, failures: [`${title}: ${why}`] };
};

// Enough of an error to know what was expected, without the code around it.
const ERROR_LINES = 6;

const toFailure = (where: string, error = ''): string => {
  const lines = error.split('\n').filter((line) => line.trim() !== '');
  return [where, ...lines.slice(0, ERROR_LINES).map((line) => `    ${line}`)].join('\n');
};

const vitestReportSchema = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Counts of Vitest's JSON report; a file that failed before any of its tests did counts as one. */
export const toVitestCounts = (report: unknown): Counts => {
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = vitestReportSchema.parse(report);
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [toFailure(name, message)];
    return failed.map((test) => toFailure(`${name} › ${test.fullName}`, test.failureMessages?.[0]));
  });
  return { ...NO_TESTS, passed: numPassedTests, skipped: numPendingTests + numTodoTests, failures };
};

interface PlaywrightSuite {
  specs: z.infer<typeof playwrightSpecSchema>[];
  suites?: PlaywrightSuite[] | undefined;
}

const playwrightSpecSchema = z.object({
  file: z.string(),
  line: z.number(),
  title: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
    }),
  ),
});

const playwrightSuiteSchema: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(playwrightSpecSchema),
  suites: z.lazy(() => z.array(playwrightSuiteSchema)).optional(),
});

const playwrightReportSchema = z.object({
  stats: z.object({ expected: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuiteSchema),
  errors: z.array(z.object({ message: z.string().optional() })),
});

const listSpecs = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...specs,
  ...suites.flatMap(listSpecs),
];

/** With more than so many that needed a second attempt, the run says something of the tests, not of the machine. */
const MOST_RETRIED = 2;

/**
 * Counts of Playwright's JSON report. A test that passed at its second attempt has passed and is named, unless there
 * are more than a few such; what went wrong outside any test has failed.
 */
export const toPlaywrightCounts = (report: unknown): Counts => {
  const { stats, suites, errors } = playwrightReportSchema.parse(report);
  const specs = suites.flatMap(listSpecs);
  const listTests = (wanted: string): string[] =>
    specs.flatMap(({ file, line, title, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(({ results }) =>
          toFailure(
            `${file}:${line} › ${title}`,
            results.map(({ error }) => error?.message).find((message) => message !== undefined),
          ),
        ),
    );
  const failures = [
    ...listTests('unexpected'),
    ...errors.map(({ message }) => toFailure('outside any test', message)),
  ];
  const flaky = listTests('flaky');
  return flaky.length > MOST_RETRIED
    ? { passed: stats.expected, skipped: stats.skipped, failures: [...failures, ...flaky], retried: [] }
    : { passed: stats.expected + flaky.length, skipped: stats.skipped, failures, retried: flaky };
};
