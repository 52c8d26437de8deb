import { describe, expect, it, vi, test } from 'vitest';
import { InvalidRecordError } from '@/service/store/errors';
import { TrackingError } from '@/lib/tracking/errors';
import { problemSchema } from '@/lib/base/http/protocol';
import { AppError } from '@/lib/base/http/problems';
import { toProblemResponse, toKnownError, toProblem } from './respond';
import { DrizzleQueryError } from 'drizzle-orm';

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
      [new TrackingError('network', SECRET, { cause: away }), 503, 'database-unavailable'],
      [new InvalidRecordError(SECRET, faults), 400, 'bad-input'],
      [new TrackingError('unauthorized', SECRET, { status: 401, cause }), 502, 'provider-credentials'],
      [new TrackingError('forbidden', SECRET, { status: 403, cause }), 403, 'provider-forbidden'],
      [new TrackingError('notFound', SECRET, { code: 'unknown_vin', cause }), 404, 'provider-not-found'],
      [new TrackingError('timeout', SECRET, { cause }), 504, 'provider-timeout'],
      [new TrackingError('network', SECRET, { cause }), 502, 'provider-unreachable'],
      [new TrackingError('shape', SECRET, { cause }), 502, 'provider-shape'],
      [new TrackingError('status', SECRET, { status: 500, cause }), 502, 'provider-status'],
      [
        new TrackingError('rateLimit', SECRET, { status: 429, retryAfterMs: 7000, cause }),
        503,
        'provider-rate-limit',
      ],
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
    expect(
      toProblemResponse(
        new TrackingError('rateLimit', 'busy', { status: 429, retryAfterMs: 1500 }),
      ).headers.get('retry-after'),
    ).toBe('2');
    expect(
      toProblemResponse(new AppError('too-many-calls', { message: 'busy', retryAfterS: 3 })).headers.get(
        'retry-after',
      ),
    ).toBe('3');
    expect(
      toProblemResponse(new TrackingError('status', 'busy', { status: 500 })).headers.get('retry-after'),
    ).toBeNull();
  });

  it('recognizes an error of another copy of the module, and no other error', async () => {
    vi.resetModules();
    const copy = await import('@/lib/base/http/problems');
    expect(copy.AppError).not.toBe(AppError);
    expect(toProblemResponse(new copy.AppError('dead-link')).status).toBe(404);
    expect(toProblemResponse(Object.assign(new Error(SECRET), { code: 'dead-link' })).status).toBe(500);
  });

  it('names the field of a form that the error is about', async () => {
    expect(await toProblemResponse(new AppError('email-taken')).json()).toMatchObject({
      faults: [{ field: 'email', message: expect.stringContaining('already a user') }],
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

/** The error as the driver wraps it. */
const errorOf = (code: string, name = 'Error'): Error =>
  Object.assign(new Error(`failed with ${code}`), { code, name });
const query = (cause: Error) => new DrizzleQueryError('insert into users', [SECRET], cause);

test.each([
  ['refused by the system', errorOf('ECONNREFUSED')],
  ['refused at every address', errorOf('ECONNREFUSED', 'AggregateError')],
  ['shutting down', errorOf('57P01', 'error')],
  ['refused within a query', query(errorOf('ECONNREFUSED'))],
  ['given no connection in time', query(new Error('timeout exceeded when trying to connect'))],
])('a database that is away is called that: %s', (_, error) => {
  const known = toKnownError(error);
  expect(known).toMatchObject({ code: 'database-unavailable' });
  expect(String(known)).not.toContain(SECRET);
  expect(toProblem(known)).toMatchObject({
    status: 503,
    code: 'database-unavailable',
    detail: 'This server cannot reach its database.',
  });
});

test('a full database is distinguished from one that is away', () => {
  for (const message of [
    'IO Error: Could not write file "a.parquet": No space left on device',
    "Out of Memory Error: failed to offload data.\nThis limit was set by the 'max_temp_directory_size' setting.",
  ])
    expect(toProblem(toKnownError(new Error(message)))).toMatchObject({ code: 'database-full' });
  expect(toProblem(toKnownError(query(errorOf('53100', 'error'))))).toMatchObject({
    status: 503,
    detail: 'The disk of this server is full, so nothing can be changed.',
  });
});

test.each([
  ['a fault of ours', new TypeError('x is undefined')],
  ['a statement that the database refuses', query(errorOf('23505', 'error'))],
  ['what knows itself what went wrong', errorOf('ECONNREFUSED', 'TrackingError')],
  ['no error at all', 'ECONNREFUSED'],
])('%s stays what it is', (_, error) => {
  expect(toKnownError(error)).toBe(error);
});
