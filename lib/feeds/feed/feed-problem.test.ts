import { expect, test } from 'vitest';
import { TrackingError } from '@/lib/tracking/errors';
import { toFeedProblem, toRetryAfterMs, toRetryDelayMs } from './feed-problem';

test.each([
  [new TrackingError('network', 'Off.'), 'network', 'cannot be reached'],
  [new TrackingError('timeout', 'Slow.'), 'timeout', 'does not answer in time'],
  [new TrackingError('unauthorized', 'No.', { status: 401 }), 'auth', 'refuses this server'],
  [new TrackingError('forbidden', 'No.', { status: 403 }), 'auth', 'does not let this server see this fleet'],
  [
    new TrackingError('rateLimit', '429.', { status: 429, retryAfterMs: 5000 }),
    'rateLimit',
    'asks for fewer requests',
  ],
  [new TrackingError('status', '503.', { status: 503 }), 'status', 'status 503'],
  [new TrackingError('notFound', '404.', { code: 'unknown-usdot' }), 'status', 'does not know this fleet'],
  [new TrackingError('shape', 'HTML.'), 'shape', 'cannot be read'],
  [new TrackingError('brokenOff', 'Off.'), 'network', 'broke off'],
  [new TrackingError('redirect', '307.', { status: 307 }), 'redirect', 'another address'],
  [new TrackingError('tooLong', 'Long.'), 'tooLong', 'longer than this server reads'],
  [new TrackingError('empty', 'Empty.'), 'empty', 'is empty'],
  [new TrackingError('errorInside', 'Inside.'), 'errorInside', 'an error instead of trucks'],
  [new TrackingError('unusable', 'None.'), 'unusable', 'Nothing that'],
  [new TrackingError('mismatch', 'Other.'), 'mismatch', 'another fleet'],
])('words %o for a dispatcher and for an engineer', (error, kind, message) => {
  const problem = toFeedProblem(error, 7);
  expect(problem).toMatchObject({
    kind,
    sinceMs: 7,
    detail: `TrackingError [${error.kind}]: ${error.message}`,
  });
  expect(problem.message).toContain(message);
  expect(problem.message).toMatch(/^[A-Z].*\.$/);
});

test('names the codes of an error’s causes and never their messages', () => {
  const inner = Object.assign(new Error('x-api-key s3cret'), { code: 'CERT_HAS_EXPIRED' });
  const outer = Object.assign(new TypeError('fetch failed s3cret', { cause: inner }), { code: 's3cret' });
  const { detail } = toFeedProblem(new TrackingError('network', 'Off.', { cause: outer }), 0);
  expect(detail).toBe('TrackingError [network]: Off. (CERT_HAS_EXPIRED)');
});

test.each([
  ['database-unavailable', 'Linehaul cannot reach its database'],
  ['database-full', 'The disk of the Linehaul server is full'],
])('calls a fault of our own database ours, not the provider’s: %s', (code, words) => {
  const cause = Object.assign(new Error('away'), { code });
  const problem = toFeedProblem(new TrackingError('network', 'Off.', { cause }), 0);
  expect(problem).toMatchObject({ kind: 'database', detail: `TrackingError [network]: Off. (${code})` });
  expect(problem.message).toContain(words);
});

test('names only the class of errors that are not the client’s own', () => {
  expect(toFeedProblem(new RangeError('s3cret'), 0)).toMatchObject({
    kind: 'internal',
    detail: 'RangeError',
  });
  expect(toFeedProblem('s3cret', 0)).toMatchObject({ kind: 'internal', detail: 'string' });
  expect(toFeedProblem(null, 0).kind).toBe('internal');
});

test('finds the provider’s Retry-After', () => {
  expect(toRetryAfterMs(new TrackingError('rateLimit', '429.', { status: 429, retryAfterMs: 5000 }))).toBe(
    5000,
  );
  expect(toRetryAfterMs(new TrackingError('status', '503.', { status: 503 }))).toBeNull();
  expect(toRetryAfterMs(new Error('Off.'))).toBeNull();
  expect(toRetryAfterMs(null)).toBeNull();
});

const settings = { maxBackoffMs: 120_000, maxRetryAfterMs: 3_600_000 };
const delay = (failures: number, retryAfterMs: number | null = null, random = 0.5) =>
  toRetryDelayMs(failures, 10_000, retryAfterMs, random, settings);

test('a retry doubles with each failure up to two minutes', () => {
  expect([1, 2, 3, 4, 5, 6, 5000].map((failures) => delay(failures))).toEqual([
    10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 120_000,
  ]);
});

test('a retry is randomly a quarter shorter or longer', () => {
  expect(delay(1, null, 0)).toBe(7500);
  expect(delay(1, null, 0.999999)).toBeCloseTo(12_500, -1);
});

test('a retry is never shorter than the provider’s Retry-After, within an hour', () => {
  expect(delay(1, 600_000, 0)).toBe(600_000);
  expect(delay(5, 1000)).toBe(120_000);
  expect(delay(1, 86_400_000)).toBe(3_600_000);
});

test('a retry is never shorter than a poll interval that exceeds the longest back-off', () => {
  expect(toRetryDelayMs(3, 600_000, null, 0.5, settings)).toBe(600_000);
});
