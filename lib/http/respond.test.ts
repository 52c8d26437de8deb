import { describe, expect, it, vi } from 'vitest';
import { InvalidRecordError } from '@/service/store/errors';
import {
  TrackingAuthError,
  TrackingNetworkError,
  TrackingNotFoundError,
  TrackingShapeError,
  TrackingStatusError,
  TrackingTimeoutError,
} from '@/lib/tracking/errors';
import { problemSchema } from '@/lib/wire/problem';
import { AppError } from './problems';
import { toProblemResponse } from './respond';

const SECRET = 'planted-secret-4711';
const cause = new Error(SECRET);

describe('toProblemResponse', () => {
  it('answers each kind of failure with its own status and code, and none of its text', async () => {
    const away = new AppError('database-unavailable', { message: SECRET, cause });
    const faults = [{ row: 0, field: 'vin', message: 'has 17 letters and digits' }];
    const cases: [Error, number, string][] = [
      [new AppError('malformed-usdot', { message: SECRET }), 400, 'malformed-usdot'],
      [new AppError('unknown-unit', { message: SECRET }), 404, 'unknown-unit'],
      [new AppError('too-many-calls', { message: SECRET, retryAfterS: 3 }), 503, 'too-many-calls'],
      [away, 503, 'database-unavailable'],
      [new TrackingNetworkError(SECRET, { cause: away }), 503, 'database-unavailable'],
      [new InvalidRecordError(SECRET, faults), 400, 'bad-input'],
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

  it('forwards Retry-After in whole seconds', () => {
    expect(toProblemResponse(new TrackingStatusError('busy', 429, 1500)).headers.get('retry-after')).toBe(
      '2',
    );
    expect(
      toProblemResponse(new AppError('too-many-calls', { message: 'busy', retryAfterS: 3 })).headers.get(
        'retry-after',
      ),
    ).toBe('3');
    expect(
      toProblemResponse(new TrackingStatusError('busy', 500, null)).headers.get('retry-after'),
    ).toBeNull();
  });

  it('recognizes an error of another copy of the module, and no other error', async () => {
    vi.resetModules();
    const copy = await import('./problems');
    expect(copy.AppError).not.toBe(AppError);
    expect(toProblemResponse(new copy.AppError('dead-link')).status).toBe(404);
    expect(toProblemResponse(Object.assign(new Error(SECRET), { code: 'dead-link' })).status).toBe(500);
  });

  it('names the field of a form that the error is about', async () => {
    expect(await toProblemResponse(new AppError('email-taken')).json()).toMatchObject({
      faults: [{ field: 'email', message: expect.stringContaining('already has an account') }],
    });
    expect(await toProblemResponse(new AppError('vehicle-taken', { detail: 'Known.' })).json()).toMatchObject(
      {
        faults: [{ field: 'vin', message: 'Known.' }],
      },
    );
  });

  it('answers a thrown value that is not an Error', async () => {
    for (const thrown of [null, undefined, 'text', 7]) {
      const response = toProblemResponse(thrown);
      expect(response.status).toBe(500);
      expect(await response.json()).not.toHaveProperty('detail');
    }
  });
});
