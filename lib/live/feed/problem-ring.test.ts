import { expect, test } from 'vitest';
import type { FeedProblem } from '@/lib/wire/fleet';
import { createProblemRing } from './problem-ring';

const problem = (kind: FeedProblem['kind'], sinceMs: number): FeedProblem => ({
  kind,
  message: kind,
  detail: `${kind} of the test`,
  sinceMs,
});

test('counts a lasting problem once, and gives its end', () => {
  const ring = createProblemRing();
  ring.note(null, 0);
  ring.note(problem('timeout', 10), 10);
  ring.note(problem('timeout', 10), 20);
  ring.note(problem('auth', 30), 30);
  ring.note(null, 40);
  ring.note(null, 50);
  expect(ring.list()).toEqual([
    { ...problem('auth', 30), untilMs: 40, times: 1 },
    { ...problem('timeout', 10), untilMs: 30, times: 2 },
  ]);
});

test('keeps only the last ones', () => {
  const ring = createProblemRing();
  for (let atMs = 0; atMs < 30; atMs++) ring.note(problem(atMs % 2 === 0 ? 'auth' : 'timeout', atMs), atMs);
  expect(ring.list()).toHaveLength(10);
  expect(ring.list()[0]).toMatchObject({ sinceMs: 29, untilMs: null });
});
