import { expect, test } from 'vitest';
import {
  TrackingAuthError,
  TrackingBrokenOffError,
  TrackingEmptyError,
  TrackingErrorInsideError,
  TrackingMismatchError,
  TrackingNetworkError,
  TrackingNotFoundError,
  TrackingRedirectError,
  TrackingShapeError,
  TrackingStatusError,
  TrackingTimeoutError,
  TrackingTooLongError,
  TrackingUnusableError,
} from '@/lib/tracking/errors';
import { toFeedProblem, toRetryAfterMs } from './feed-problem';

test.each([
  [new TrackingNetworkError('Off.'), 'network', 'cannot be reached'],
  [new TrackingTimeoutError('Slow.'), 'timeout', 'does not answer in time'],
  [new TrackingAuthError('No.', 401), 'auth', 'refuses this server'],
  [new TrackingAuthError('No.', 403), 'auth', 'does not let this server see this fleet'],
  [new TrackingStatusError('429.', 429, 5000), 'rateLimit', 'asked less often'],
  [new TrackingStatusError('503.', 503, null), 'status', 'status 503'],
  [new TrackingNotFoundError('404.', 'unknown-usdot'), 'status', 'does not know this fleet'],
  [new TrackingShapeError('HTML.'), 'shape', 'cannot be read'],
  [new TrackingBrokenOffError('Off.'), 'network', 'broke off'],
  [new TrackingRedirectError('307.', 307, null), 'redirect', 'another address'],
  [new TrackingTooLongError('Long.'), 'tooLong', 'longer than this server reads'],
  [new TrackingEmptyError('Empty.'), 'empty', 'is empty'],
  [new TrackingErrorInsideError('Inside.'), 'errorInside', 'an error instead of units'],
  [new TrackingUnusableError('None.'), 'unusable', 'Nothing that'],
  [new TrackingMismatchError('Other.'), 'mismatch', 'another fleet'],
])('words %o for a dispatcher and for an engineer', (error, kind, message) => {
  const problem = toFeedProblem(error, 7);
  expect(problem).toMatchObject({ kind, sinceMs: 7, detail: `${error.name}: ${error.message}` });
  expect(problem.message).toContain(message);
  expect(problem.message).toMatch(/^[A-Z].*\.$/);
});

test('names the codes of an error’s causes and never their messages', () => {
  const inner = Object.assign(new Error('x-api-key s3cret'), { code: 'CERT_HAS_EXPIRED' });
  const outer = Object.assign(new TypeError('fetch failed s3cret', { cause: inner }), { code: 's3cret' });
  const { detail } = toFeedProblem(new TrackingNetworkError('Off.', { cause: outer }), 0);
  expect(detail).toBe('TrackingNetworkError: Off. (CERT_HAS_EXPIRED)');
});

test.each([
  ['database-unavailable', 'Linehaul cannot reach its database'],
  ['database-full', 'The disk of the Linehaul server is full'],
])('calls a fault of our own database ours, not the provider’s: %s', (code, words) => {
  const cause = Object.assign(new Error('away'), { code });
  const problem = toFeedProblem(new TrackingNetworkError('Off.', { cause }), 0);
  expect(problem).toMatchObject({ kind: 'database', detail: `TrackingNetworkError: Off. (${code})` });
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
  expect(toRetryAfterMs(new TrackingStatusError('429.', 429, 5000))).toBe(5000);
  expect(toRetryAfterMs(new TrackingStatusError('503.', 503, null))).toBeNull();
  expect(toRetryAfterMs(new Error('Off.'))).toBeNull();
  expect(toRetryAfterMs(null)).toBeNull();
});
