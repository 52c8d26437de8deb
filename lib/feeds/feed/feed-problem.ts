import 'server-only';
import { isTrackingError, type TrackingErrorKind } from '@/lib/tracking/errors';
import type { FeedProblem } from '@/lib/wire/fleet';
import type { LiveSettings } from '@/lib/fleet/settings';
import type { Log } from '@/lib/base/log';
import { toBackoffMs } from '@/lib/base/time';
import { listCauseCodes } from '@/lib/database/failure';

type ProblemMessage = Pick<FeedProblem, 'kind' | 'message'>;

const PROVIDER = 'The tracking provider';

/** Messages about our own service's database, by the code of the error behind an unreachable provider. */
const DATABASE_PROBLEMS: Record<string, ProblemMessage> = {
  'database-unavailable': {
    kind: 'database',
    message: 'Linehaul cannot reach its database: truck reports are not saved, and the map does not update.',
  },
  'database-full': {
    kind: 'database',
    message:
      'The disk of the Linehaul server is full: truck reports are not saved, and the map does not update.',
  },
};

const MESSAGES: Readonly<Record<Exclude<TrackingErrorKind, 'status'>, ProblemMessage>> = {
  network: { kind: 'network', message: `${PROVIDER} cannot be reached.` },
  brokenOff: { kind: 'network', message: `${PROVIDER}'s answer broke off.` },
  timeout: { kind: 'timeout', message: `${PROVIDER} does not answer in time.` },
  unauthorized: { kind: 'auth', message: `${PROVIDER} refuses this server's credentials.` },
  forbidden: { kind: 'auth', message: `${PROVIDER} does not let this server see this fleet.` },
  notFound: { kind: 'status', message: `${PROVIDER} does not know this fleet.` },
  rateLimit: { kind: 'rateLimit', message: `${PROVIDER} asks for fewer requests.` },
  redirect: {
    kind: 'redirect',
    message: `${PROVIDER} points to another address, where this server's credentials are not sent.`,
  },
  shape: { kind: 'shape', message: `${PROVIDER} answers in a form that cannot be read.` },
  tooLong: { kind: 'tooLong', message: `${PROVIDER}'s answer is longer than this server reads.` },
  empty: { kind: 'empty', message: `${PROVIDER}'s answer is empty.` },
  errorInside: { kind: 'errorInside', message: `${PROVIDER} reports an error instead of trucks.` },
  unusable: { kind: 'unusable', message: `Nothing that the tracking provider sends can be read as a truck.` },
  mismatch: { kind: 'mismatch', message: `${PROVIDER} answers for another fleet than this one.` },
};

const INTERNAL: ProblemMessage = {
  kind: 'internal',
  message: "Linehaul could not make use of the provider's answer.",
};

const toMessage = (error: unknown): ProblemMessage => {
  if (!isTrackingError(error)) return INTERNAL;
  return error.kind === 'status'
    ? { kind: 'status', message: `${PROVIDER} has a fault of its own (status ${error.status}).` }
    : MESSAGES[error.kind];
};

const CODE = /^[A-Z][A-Z0-9_]{2,40}$/;

/**
 * The system error codes of an error's causes ("ECONNREFUSED"), never their messages, which may hold a
 * secret.
 */
const toCauseCodes = (error: unknown): string[] =>
  listCauseCodes(error instanceof Error ? error.cause : null).filter(
    (code) => code in DATABASE_PROBLEMS || CODE.test(code),
  );

/** The provider's Retry-After in ms; null where it gives none. */
export const toRetryAfterMs = (error: unknown): number | null =>
  isTrackingError(error) ? error.retryAfterMs : null;

/** Whether the provider refuses the fleet: it has none such (404), or this server may not see it (403). */
export const isRefusal = (error: unknown): boolean => isTrackingError(error, 'notFound', 'forbidden');

/**
 * A failed call as state: a message for a dispatcher and, for an engineer, the client's own message. Of other
 * errors only the class is named.
 */
export const toFeedProblem = (error: unknown, sinceMs: number): FeedProblem => {
  const codes = toCauseCodes(error);
  const own = codes.find((code) => code in DATABASE_PROBLEMS);
  const name = error instanceof Error ? error.name : typeof error;
  const text = isTrackingError(error) ? `${name} [${error.kind}]: ${error.message}` : name;
  return {
    ...(own === undefined ? toMessage(error) : DATABASE_PROBLEMS[own]!),
    detail: codes.length > 0 ? `${text} (${codes.join(', ')})` : text,
    sinceMs,
  };
};

/** Jitter: by how much a wait may be shorter or longer than planned, so that servers do not retry in step. */
const JITTER = 0.25;

/**
 * The wait after `failures` failures in a row, in ms: the poll interval, doubled each time up to
 * `maxBackoffMs`, plus or minus a quarter; never less than the provider's Retry-After. `random` is in [0, 1).
 */
export const toRetryDelayMs = (
  failures: number,
  pollIntervalMs: number,
  retryAfterMs: number | null,
  random: number,
  settings: Pick<LiveSettings, 'maxBackoffMs' | 'maxRetryAfterMs'>,
): number => {
  const longestMs = Math.max(pollIntervalMs, settings.maxBackoffMs);
  const jitteredMs = toBackoffMs(failures, pollIntervalMs, longestMs) * (1 - JITTER + 2 * JITTER * random);
  return Math.max(jitteredMs, Math.min(settings.maxRetryAfterMs, retryAfterMs ?? 0));
};

/** How long to wait in ms before the roster or the account is requested again after `error`. */
export const toSideRetryMs = (
  error: unknown,
  { sideRetryMs, maxRetryAfterMs }: Pick<LiveSettings, 'sideRetryMs' | 'maxRetryAfterMs'>,
): number => Math.max(sideRetryMs, Math.min(maxRetryAfterMs, toRetryAfterMs(error) ?? 0));

/**
 * Logs why polls fail: our own fault with its stack, a fault of the provider with its message. Without an
 * error the poll succeeded, and its answer is an anomaly.
 */
export const createPollLog =
  (log: Log) =>
  (usdot: string, { kind, detail }: FeedProblem, error: unknown): void => {
    if (kind === 'internal') log.error({ usdot, err: error }, 'A poll failed.');
    else if (error === null)
      log.warn({ usdot, kind, reason: detail }, 'An answer from the provider looks wrong.');
    else log.warn({ usdot, kind, reason: detail }, 'A poll failed.');
  };
