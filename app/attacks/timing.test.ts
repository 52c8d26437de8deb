import type * as crypto from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import { isSetUpCode } from '@/lib/auth/server/sign-in/set-up';
import { requireMetricsToken } from '@/lib/ops/metrics/metrics';

/** Lengths of the values that were compared in constant time. */
const compared = vi.hoisted((): [number, number][] => []);

vi.mock('node:crypto', async (original) => {
  const actual = await original<typeof crypto>();
  const timingSafeEqual: typeof actual.timingSafeEqual = (a, b) => {
    compared.push([a.byteLength, b.byteLength]);
    return actual.timingSafeEqual(a, b);
  };
  return { ...actual, timingSafeEqual };
});
beforeEach(() => void compared.splice(0));

/**
 * Guesses with nothing right, all but the first character, all but the last, too short and too long; no
 * secret contains an "x".
 */
const toGuesses = (secret: string): string[] => [
  'x'.repeat(secret.length),
  `x${secret.slice(1)}`,
  `${secret.slice(0, -1)}x`,
  secret.slice(0, -1),
  `${secret}x`,
  secret.slice(0, 1),
];

const SECRET = 'metrics-token-of-the-timing';
const CODE = '7K3M-90QW-ABCD-EFGH';
const COMPARISONS: Record<string, { secret: string; isTaken: (guess: string) => boolean }> = {
  'the token of the metrics': {
    secret: SECRET,
    isTaken: (guess) => {
      try {
        requireMetricsToken(new Headers({ authorization: `Bearer ${guess}` }), SECRET);
        return true;
      } catch {
        // Refused.
        return false;
      }
    },
  },
  'the code of the set-up': { secret: CODE, isTaken: (guess) => isSetUpCode(guess, CODE) },
};

it.each(Object.entries(COMPARISONS))(
  '%s is compared whole and in the same way for every guess',
  (_, { secret, isTaken }) => {
    for (const guess of toGuesses(secret)) expect(isTaken(guess), guess).toBe(false);
    expect(compared).toHaveLength(toGuesses(secret).length);
    expect(new Set(compared.flat()).size).toBe(1);
    expect(isTaken(secret)).toBe(true);
  },
);
