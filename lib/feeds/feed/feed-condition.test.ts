import { expect, test } from 'vitest';
import type { FeedProblem } from '@/lib/wire/fleet';
import { withProblem, type RetainedProblem } from './feed-condition';

const problem = (kind: FeedProblem['kind'], sinceMs: number): FeedProblem => ({
  kind,
  message: kind,
  detail: `${kind} of the test`,
  sinceMs,
});

test('counts a lasting problem once, and gives its end', () => {
  let problems: readonly RetainedProblem[] = [];
  problems = withProblem(problems, null, 0);
  problems = withProblem(problems, problem('timeout', 10), 10);
  problems = withProblem(problems, problem('timeout', 10), 20);
  problems = withProblem(problems, problem('auth', 30), 30);
  problems = withProblem(problems, null, 40);
  problems = withProblem(problems, null, 50);
  expect(problems).toEqual([
    { ...problem('auth', 30), untilMs: 40, times: 1 },
    { ...problem('timeout', 10), untilMs: 30, times: 2 },
  ]);
});

test('keeps only the last problems', () => {
  let problems: readonly RetainedProblem[] = [];
  for (let atMs = 0; atMs < 30; atMs++)
    problems = withProblem(problems, problem(atMs % 2 === 0 ? 'auth' : 'timeout', atMs), atMs);
  expect(problems).toHaveLength(10);
  expect(problems[0]).toMatchObject({ sinceMs: 29, untilMs: null });
});
