import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toKnownError } from './database-failure';
import { toProblem } from './respond';

const SECRET = 'planted-secret-4711';

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
  expect(toProblem(toKnownError(query(errorOf('53100', 'error'))))).toMatchObject({
    status: 503,
    detail: 'The disk of this server is full, so nothing can be changed.',
  });
});

test.each([
  ['a fault of ours', new TypeError('x is undefined')],
  ['a statement that the database refuses', query(errorOf('23505', 'error'))],
  ['what knows itself what went wrong', errorOf('ECONNREFUSED', 'TrackingNetworkError')],
  ['no error at all', 'ECONNREFUSED'],
])('%s stays what it is', (_, error) => {
  expect(toKnownError(error)).toBe(error);
});
