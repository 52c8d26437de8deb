import { relative } from 'node:path';

/** How long one test took. */
export interface Timing {
  name: string;
  seconds: number;
}

/** How many tests passed or were skipped, a text for each failure, and the duration of each test; a check is one test. */
export interface Counts {
  passed: number;
  skipped: number;
  failures: string[];
  timings: Timing[];
}

export const NO_TESTS: Counts = { passed: 0, skipped: 0, failures: [], timings: [] };

export const sumCounts = (all: Counts[]): Counts =>
  all.reduce(
    (sum, { passed, skipped, failures, timings }) => ({
      passed: sum.passed + passed,
      skipped: sum.skipped + skipped,
      failures: [...sum.failures, ...failures],
      timings: [...sum.timings, ...timings],
    }),
    NO_TESTS,
  );

/** The last line of a run. */
export const toSummaryLine = ({ passed, skipped, failures }: Counts): string =>
  `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** One line for each of the `most` longest, the longest first. */
export const toSlowestLines = (timings: Timing[], most: number): string[] =>
  timings
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, most)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);

/** The counts of a test runner; one that ended with an error, or ran no test, adds a failure if it counted none. */
export const withRunner = (title: string, counts: Counts, exitCode: number | null): Counts => {
  if (counts.failures.length > 0 || (exitCode === 0 && counts.passed > 0)) return counts;
  const why = counts.passed === 0 ? 'no test passed' : `ended with ${exitCode ?? 'no exit code'}`;
  return { ...counts, failures: [`${title}: ${why}`] };
};

// Enough of an error to see what was expected, without the code around it.
const ERROR_LINES = 6;

const toFailure = (where: string, error = ''): string => {
  const lines = error.split('\n').filter((line) => line.trim() !== '');
  return [where, ...lines.slice(0, ERROR_LINES).map((line) => `    ${line}`)].join('\n');
};

/** The part of Vitest's JSON report that is read. */
interface VitestReport {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: {
      status: string;
      fullName: string;
      duration?: number | null;
      failureMessages?: string[] | null;
    }[];
  }[];
}

/** Counts of Vitest's JSON report; a file that failed before any of its tests did counts as one failure. */
export const toVitestCounts = (report: unknown, root = ''): Counts => {
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = report as VitestReport;
  const files = testResults.map((file) => ({ ...file, name: relative(root, file.name) }));
  const failures = files.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [toFailure(name, message)];
    return failed.map((test) => toFailure(`${name} › ${test.fullName}`, test.failureMessages?.[0]));
  });
  const timings = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${name} › ${fullName}`,
      seconds: (duration ?? 0) / 1000,
    })),
  );
  return { passed: numPassedTests, skipped: numPendingTests + numTodoTests, failures, timings };
};

interface PlaywrightSuite {
  specs: {
    file: string;
    line: number;
    title: string;
    tests: {
      projectName: string;
      status: string;
      results: { duration: number; error?: { message?: string } }[];
    }[];
  }[];
  suites?: PlaywrightSuite[];
}

/** The part of Playwright's JSON report that is read. */
interface PlaywrightReport {
  stats: { expected: number; skipped: number };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
}

const listSpecs = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...specs,
  ...suites.flatMap(listSpecs),
];

const isPassed = (status: string): boolean => status === 'expected' || status === 'skipped';

/** Counts of Playwright's JSON report. A test that passed at a second attempt, or an error outside any test, is a failure. */
export const toPlaywrightCounts = (report: unknown): Counts => {
  const { stats, suites, errors } = report as PlaywrightReport;
  const tests = suites.flatMap(listSpecs).flatMap(({ file, line, title, tests }) =>
    tests.map(({ projectName, status, results }) => ({
      name: `${projectName} ${file}:${line} › ${title}`,
      status,
      error: results.map(({ error }) => error?.message).find((message) => message !== undefined),
      seconds: results.reduce((sum, { duration }) => sum + duration / 1000, 0),
    })),
  );
  return {
    passed: stats.expected,
    skipped: stats.skipped,
    failures: [
      ...tests.filter(({ status }) => !isPassed(status)).map(({ name, error }) => toFailure(name, error)),
      ...errors.map(({ message }) => toFailure('outside any test', message)),
    ],
    timings: tests.map(({ name, seconds }) => ({ name, seconds })),
  };
};
