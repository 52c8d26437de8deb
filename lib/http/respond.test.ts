import { describe, expect, it } from 'vitest';
import {
  TrackingAuthError,
  TrackingNetworkError,
  TrackingNotFoundError,
  TrackingShapeError,
  TrackingStatusError,
  TrackingTimeoutError,
} from '@/lib/tracking/errors';
import { problemSchema } from '@/lib/wire/problem';
import { AttemptTooSoonError } from '../live/attempt';
import { TooManyCallsError } from './bounded-client';
import { DatabaseUnavailableError } from '@/server/embedded-service';
import { BadParameterError, NoSuchRouteError } from './guards';
import { TABLES, toProblemResponse } from './respond';
import { NoSuchUnitError } from '../live/unit-detail';
import { NotEmbeddedError } from '@/server/upstream';
import { TooManyFleetsError } from '../live/watched-fleets';

const SECRET = 'planted-secret-4711';
const cause = new Error(SECRET);

describe('toProblemResponse', () => {
  it('answers each kind of failure with its own status and code, and with none of its words', async () => {
    const noDatabase = new TrackingNetworkError(SECRET, { cause: new DatabaseUnavailableError(SECRET) });
    const cases: [Error, number, string][] = [
      [new BadParameterError('A USDOT number has 1 to 8 digits.', 'malformed-usdot'), 400, 'malformed-usdot'],
      [new NoSuchRouteError(SECRET), 404, 'unknown-address'],
      [new NoSuchUnitError(SECRET), 404, 'unknown-unit'],
      [new NotEmbeddedError(SECRET), 404, 'not-embedded'],
      [new TooManyFleetsError(SECRET), 503, 'too-many-fleets'],
      [new AttemptTooSoonError(3), 429, 'attempt-too-soon'],
      [new TooManyCallsError(SECRET, 3), 503, 'too-many-calls'],
      [new DatabaseUnavailableError(SECRET), 503, 'database-unavailable'],
      [noDatabase, 503, 'database-unavailable'],
      [new TrackingAuthError(SECRET, 401, { cause }), 502, 'provider-credentials'],
      [new TrackingAuthError(SECRET, 403, { cause }), 403, 'provider-forbidden'],
      [new TrackingNotFoundError(SECRET, 'unknown_vin', { cause }), 404, 'provider-not-found'],
      [new TrackingTimeoutError(SECRET, { cause }), 504, 'provider-timeout'],
      [new TrackingNetworkError(SECRET, { cause }), 502, 'provider-unreachable'],
      [new TrackingShapeError(SECRET, { cause }), 502, 'provider-shape'],
      [new TrackingStatusError(SECRET, 500, null, { cause }), 502, 'provider-status'],
      [new TrackingStatusError(SECRET, 429, 7000, { cause }), 503, 'provider-rate-limit'],
      [new TypeError(SECRET, { cause }), 500, 'internal'],
    ];
    for (const [error, status, code] of cases) {
      const response = toProblemResponse(error);
      const text = await response.text();
      expect(response.status, code).toBe(status);
      expect(problemSchema.parse(JSON.parse(text))).toMatchObject({ status, code });
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(text + JSON.stringify([...response.headers])).not.toContain(SECRET);
    }
  });

  it('has one answer for each error', () => {
    const names = TABLES.flatMap((table) => Object.keys(table));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('hands on how long to wait, in whole seconds', () => {
    expect(toProblemResponse(new TrackingStatusError('busy', 429, 1500)).headers.get('retry-after')).toBe(
      '2',
    );
    expect(toProblemResponse(new TooManyCallsError('busy', 3)).headers.get('retry-after')).toBe('3');
    expect(
      toProblemResponse(new TrackingStatusError('busy', 500, null)).headers.get('retry-after'),
    ).toBeNull();
  });

  it('knows an error whose class was loaded a second time', () => {
    class TrackingTimeoutErrorOfAnotherBundle extends Error {
      override name = 'TrackingTimeoutError';
    }
    expect(toProblemResponse(new TrackingTimeoutErrorOfAnotherBundle('late')).status).toBe(504);
  });

  it('answers what is not an error at all', async () => {
    for (const thrown of [null, undefined, 'text', 7]) {
      const response = toProblemResponse(thrown);
      expect(response.status).toBe(500);
      expect(await response.json()).not.toHaveProperty('detail');
    }
  });
});
