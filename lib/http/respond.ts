import 'server-only';
import type { Problem } from '@/lib/wire/problem';
import { isAppError, toAnswer } from './problems';
import type { AppErrorCode } from './problems';
import { toProviderProblem } from './provider-problem';

type Faults = NonNullable<Problem['faults']>;

/** Refusals by the store of the embedded tracking service, by error code. */
const SERVICE_CODES: Readonly<Record<string, AppErrorCode>> = {
  invalid_record: 'bad-input',
  device_taken: 'device-taken',
  unknown_carrier: 'unknown-fleet',
};

const toServiceAnswer = (error: unknown) => {
  const { code, faults } = (error ?? {}) as { code?: unknown; faults?: Faults };
  const known = typeof code === 'string' ? SERVICE_CODES[code] : undefined;
  if (known === undefined) return null;
  const [first] = faults ?? [];
  return toAnswer({
    code: known,
    ...(first === undefined ? {} : { detail: `${first.field} ${first.message}.`, faults }),
  });
};

/** The one place where an error becomes a client's problem. Its own message and cause are only logged. */
const translate = (error: unknown): ReturnType<typeof toAnswer> => {
  if (isAppError(error)) return toAnswer(error);
  const provider = toProviderProblem(error);
  if (provider !== null) return toAnswer(provider);
  return toServiceAnswer(error) ?? toAnswer({ code: 'internal' });
};

/** The part of an error that a client or a page may read. */
export const toProblem = (error: unknown): Problem => translate(error).problem;

/** No authentication scheme is registered for session cookies. */
const SESSION_CHALLENGE = 'Session realm="linehaul"';
const CHALLENGES: Record<string, string> = { 'metrics-token': 'Bearer realm="metrics"' };

/** An error as an RFC 9457 problem document. */
export const toProblemResponse = (error: unknown): Response => {
  const { problem, retryAfterS } = translate(error);
  return Response.json(problem, {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      // RFC 9110, 11.6.1: an answer with status 401 names the credentials that it requires.
      ...(problem.status === 401
        ? { 'www-authenticate': CHALLENGES[problem.code] ?? SESSION_CHALLENGE }
        : {}),
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    },
  });
};
