import 'server-only';
import type { Problem } from '@/lib/base/http/protocol';
import { PRIVATE_ANSWER } from '@/lib/base/http/headers';
import {
  isAppError,
  toAnswer,
  AppError,
  type AppErrorCode,
  type AppErrorDetails,
} from '@/lib/base/http/problems';
import { isTrackingError, type TrackingError, type TrackingErrorKind } from '@/lib/tracking/errors';
import { judgeDatabase, toRootCause } from '@/lib/database/failure';

interface ProviderProblem extends Pick<AppErrorDetails, 'detail' | 'retryAfterS'> {
  code: AppErrorCode;
}

const CODES: Readonly<Record<TrackingErrorKind, AppErrorCode>> = {
  network: 'provider-unreachable',
  brokenOff: 'provider-broke-off',
  timeout: 'provider-timeout',
  unauthorized: 'provider-credentials',
  forbidden: 'provider-forbidden',
  notFound: 'provider-not-found',
  rateLimit: 'provider-rate-limit',
  redirect: 'provider-redirect',
  status: 'provider-status',
  shape: 'provider-shape',
  tooLong: 'provider-too-long',
  empty: 'provider-shape',
  errorInside: 'provider-shape',
  unusable: 'provider-shape',
  mismatch: 'provider-mismatch',
};

const toDetail = ({ kind, status, code }: TrackingError): string | undefined => {
  if (kind === 'status') return `The tracking API answered with status ${status}.`;
  if (kind !== 'notFound') return undefined;
  return `The tracking API does not know what was requested${code === null ? '' : ` (${code})`}.`;
};

/** The problem for a failure of the tracking API; null for every other error. */
const toProviderProblem = (error: unknown): ProviderProblem | null => {
  if (!isTrackingError(error)) return null;
  // The embedded tracking service cannot reach its database.
  if (error.kind === 'network' && isAppError(error.cause, 'database-unavailable', 'database-full'))
    return { code: error.cause.code };
  const waits = error.kind === 'status' || error.kind === 'rateLimit' ? error.retryAfterMs : null;
  return {
    code: CODES[error.kind],
    detail: toDetail(error),
    ...(waits === null ? {} : { retryAfterS: Math.ceil(waits / 1000) }),
  };
};

type Faults = NonNullable<Problem['faults']>;

/** Refusals by the store of the embedded tracking service, by error code. */
const SERVICE_CODES: Readonly<Record<string, AppErrorCode>> = {
  invalid_record: 'bad-input',
  device_taken: 'device-taken',
  unknown_carrier: 'unknown-fleet',
  unreadable_file: 'bad-input',
};

const toServiceAnswer = (error: unknown) => {
  const { code, faults, detail } = (error ?? {}) as { code?: unknown; faults?: Faults; detail?: string };
  const known = typeof code === 'string' ? SERVICE_CODES[code] : undefined;
  if (known === undefined) return null;
  const [first] = faults ?? [];
  return toAnswer({
    code: known,
    ...(first === undefined ? { detail } : { detail: `${first.field} ${first.message}.`, faults }),
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
const CHALLENGES: Record<string, string> = {
  'metrics-token': 'Bearer realm="metrics"',
  'load-key-needed': 'Bearer realm="loads"',
};

/** The methods of the address of a load. */
export const LOAD_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

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
      // RFC 9110, 15.5.6.
      ...(problem.code === 'not-this-method' ? { allow: LOAD_METHODS.join(', ') } : {}),
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    },
  });
};

const PRIVATE = { headers: { 'cache-control': PRIVATE_ANSWER } };

/** The answer for what a route handler returned: a Response as it is, nothing as 204, any other value as JSON. */
export const toResponse = (answer: unknown): Response => {
  if (answer instanceof Response) return answer;
  return answer === undefined
    ? new Response(null, { status: 204, ...PRIVATE })
    : Response.json(answer, PRIVATE);
};

/** Error names that say nothing; all others describe the fault. */
const UNNAMED: readonly string[] = ['Error', 'AggregateError', 'error'];

/** Names a database that is away or full, without the wrapping errors, which quote statements with form values. */
export const toKnownError = (error: unknown): unknown => {
  if (!(error instanceof Error) || !UNNAMED.includes(error.name)) return error;
  const root = toRootCause(error);
  const state = judgeDatabase(root);
  if (state === null) return error;
  const message = root instanceof Error ? root.message : String(root);
  return new AppError(state === 'full' ? 'database-full' : 'database-unavailable', { message });
};
