import 'server-only';
import type { FeedProblem } from '@/lib/wire/fleet';

type Words = Pick<FeedProblem, 'kind' | 'message'>;

const PROVIDER = 'The tracking provider';

const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Messages about our own service's database, by the code of the error behind an unreachable provider. */
const DATABASE_WORDS: Record<string, Words> = {
  'database-unavailable': {
    kind: 'database',
    message: 'Linehaul cannot reach its database: no report of a truck is taken, and the map stands still.',
  },
  'database-full': {
    kind: 'database',
    message:
      'The disk of the Linehaul server is full: no report of a truck is taken, and the map stands still.',
  },
};

/** Classes are compared by name, because a module may be loaded twice. */
const toWords = (name: string, status: number | null): Words => {
  switch (name) {
    case 'TrackingNetworkError':
      return { kind: 'network', message: `${PROVIDER} cannot be reached.` };
    case 'TrackingBrokenOffError':
      return { kind: 'network', message: `${PROVIDER}'s answer broke off.` };
    case 'TrackingTimeoutError':
      return { kind: 'timeout', message: `${PROVIDER} does not answer in time.` };
    case 'TrackingAuthError':
      return status === 403
        ? { kind: 'auth', message: `${PROVIDER} does not let this server see this fleet.` }
        : { kind: 'auth', message: `${PROVIDER} refuses this server's credentials.` };
    case 'TrackingNotFoundError':
      return { kind: 'status', message: `${PROVIDER} does not know this fleet.` };
    case 'TrackingRedirectError':
      return {
        kind: 'redirect',
        message: `${PROVIDER} points to another address, where this server's credentials are not sent.`,
      };
    case 'TrackingTooLongError':
      return { kind: 'tooLong', message: `${PROVIDER}'s answer is longer than this server reads.` };
    case 'TrackingEmptyError':
      return { kind: 'empty', message: `${PROVIDER}'s answer is empty.` };
    case 'TrackingErrorInsideError':
      return { kind: 'errorInside', message: `${PROVIDER} reports an error instead of units.` };
    case 'TrackingUnusableError':
      return { kind: 'unusable', message: `Nothing that the tracking provider sends can be read as a unit.` };
    case 'TrackingMismatchError':
      return { kind: 'mismatch', message: `${PROVIDER} answers for another fleet than this one.` };
    case 'TrackingShapeError':
      return { kind: 'shape', message: `${PROVIDER} answers in a form that cannot be read.` };
    case 'TrackingStatusError':
      if (status === 429) return { kind: 'rateLimit', message: `${PROVIDER} asks to be asked less often.` };
      return {
        kind: 'status',
        message: `${PROVIDER} has a fault of its own (status ${status ?? 'unknown'}).`,
      };
    default:
      return { kind: 'internal', message: "Linehaul could not make use of the provider's answer." };
  }
};

const CODE = /^[A-Z][A-Z0-9_]{2,40}$/;

/**
 * The system error codes of an error's causes ("ECONNREFUSED"), never their messages, which may hold a
 * secret.
 */
const toCauseCodes = (error: unknown): string[] => {
  const codes: string[] = [];
  let cause = error instanceof Error ? error.cause : null;
  for (let depth = 0; depth < 4 && cause instanceof Error; depth++) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && (code in DATABASE_WORDS || CODE.test(code))) codes.push(code);
    cause = cause.cause;
  }
  return codes;
};

/** The provider's Retry-After in ms; null where it gives none. */
export const toRetryAfterMs = (error: unknown): number | null =>
  toNumber((error as { retryAfterMs?: unknown } | null)?.retryAfterMs);

/** Whether the provider refuses the fleet: it has none such (404), or this server may not see it (403). */
export const isRefusal = (error: unknown): boolean => {
  const { name, status } = (error ?? {}) as { name?: unknown; status?: unknown };
  return name === 'TrackingNotFoundError' || (name === 'TrackingAuthError' && status === 403);
};

/**
 * A failed call as state: a message for a dispatcher and, for an engineer, the client's own message. Of other
 * errors only the class is named.
 */
export const toFeedProblem = (error: unknown, sinceMs: number): FeedProblem => {
  const name = error instanceof Error ? error.name : typeof error;
  const codes = toCauseCodes(error);
  const own = codes.find((code) => code in DATABASE_WORDS);
  const words = own
    ? DATABASE_WORDS[own]!
    : toWords(name, toNumber((error as { status?: unknown } | null)?.status));
  const said = words.kind === 'internal' ? name : `${name}: ${(error as Error).message}`;
  return { ...words, detail: codes.length > 0 ? `${said} (${codes.join(', ')})` : said, sinceMs };
};
