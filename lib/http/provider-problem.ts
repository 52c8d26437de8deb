import 'server-only';
import type { AppErrorCode, AppErrorDetails } from './problems';
import { isAppError } from './problems';

/** The common fields of the classes in lib/tracking/errors.ts. */
interface TrackingFailure extends Error {
  status?: number;
  /** The provider's own code for something unknown. */
  code?: string | null;
  retryAfterMs?: number | null;
}
interface ProviderProblem extends Pick<AppErrorDetails, 'detail' | 'retryAfterS'> {
  code: AppErrorCode;
}

const CODES: Readonly<Record<string, AppErrorCode>> = {
  TrackingTimeoutError: 'provider-timeout',
  TrackingBrokenOffError: 'provider-broke-off',
  TrackingRedirectError: 'provider-redirect',
  TrackingTooLongError: 'provider-too-long',
  TrackingMismatchError: 'provider-mismatch',
  TrackingEmptyError: 'provider-shape',
  TrackingErrorInsideError: 'provider-shape',
  TrackingUnusableError: 'provider-shape',
  TrackingShapeError: 'provider-shape',
};

const toStatusProblem = ({ status, retryAfterMs }: TrackingFailure): ProviderProblem => {
  const wait = typeof retryAfterMs === 'number' ? { retryAfterS: Math.ceil(retryAfterMs / 1000) } : {};
  return status === 429
    ? { code: 'provider-rate-limit', ...wait }
    : { code: 'provider-status', detail: `The tracking API answered with status ${status}.`, ...wait };
};

/** The problem for a failure of the tracking API; null for every other error. */
export const toProviderProblem = (error: unknown): ProviderProblem | null => {
  if (!(error instanceof Error)) return null;
  const failure: TrackingFailure = error;
  switch (failure.name) {
    case 'TrackingAuthError':
      return { code: failure.status === 403 ? 'provider-forbidden' : 'provider-credentials' };
    case 'TrackingNotFoundError': {
      const reason = typeof failure.code === 'string' ? ` (${failure.code})` : '';
      return {
        code: 'provider-not-found',
        detail: `The tracking API does not know what was requested${reason}.`,
      };
    }
    case 'TrackingStatusError':
      return toStatusProblem(failure);
    case 'TrackingNetworkError':
      // The embedded tracking service cannot reach its database.
      return {
        code: isAppError(failure.cause, 'database-unavailable', 'database-full')
          ? failure.cause.code
          : 'provider-unreachable',
      };
    default: {
      const code = CODES[failure.name];
      return code === undefined ? null : { code };
    }
  }
};
