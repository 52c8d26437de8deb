import 'server-only';
import type {
  TrackingAuthError,
  TrackingNetworkError,
  TrackingNotFoundError,
  TrackingStatusError,
} from '@/lib/tracking/errors';
import { toErrorName } from '../error-name';
import { toAnswer } from './answer';
import type { Answer, Answers } from './answer';

const PROVIDER = 'The tracking API';

const NO_DATABASE = toAnswer(
  503,
  'No database',
  'database-unavailable',
  'The embedded tracking service cannot reach its database.',
  5,
);
const UNREACHABLE = toAnswer(
  502,
  'Upstream unreachable',
  'provider-unreachable',
  `${PROVIDER} cannot be reached.`,
);
const UNUSABLE = toAnswer(
  502,
  'Unusable answer upstream',
  'provider-shape',
  `${PROVIDER} gave an answer that cannot be read.`,
);

const toCredentialsAnswer = ({ status }: TrackingAuthError): Answer =>
  status === 403
    ? toAnswer(
        403,
        'Not yours to see',
        'provider-forbidden',
        `${PROVIDER} does not show this to this server's key.`,
      )
    : toAnswer(
        502,
        'Credentials refused',
        'provider-credentials',
        `${PROVIDER} refuses this server's credentials.`,
      );

const toStatusAnswer = ({ status, retryAfterMs }: TrackingStatusError): Answer => {
  const retryAfterS = retryAfterMs === null ? undefined : Math.ceil(retryAfterMs / 1000);
  return status === 429
    ? toAnswer(
        503,
        'Too many requests upstream',
        'provider-rate-limit',
        `${PROVIDER} asks to be left alone for a while.`,
        retryAfterS,
      )
    : toAnswer(
        502,
        'Upstream failure',
        'provider-status',
        `${PROVIDER} answered with status ${status}.`,
        retryAfterS,
      );
};

const toNotFoundAnswer = ({ code }: TrackingNotFoundError): Answer => {
  const words = `${PROVIDER} does not know what was asked for${code === null ? '' : ` (${code})`}.`;
  return toAnswer(404, 'Not found upstream', 'provider-not-found', words);
};

/** How the tracking API failed: one answer for each class of lib/tracking/errors.ts. */
export const PROVIDER_ANSWERS: Answers = {
  TrackingAuthError: toCredentialsAnswer,
  TrackingNotFoundError: toNotFoundAnswer,
  TrackingStatusError: toStatusAnswer,
  TrackingNetworkError: ({ cause }: TrackingNetworkError) =>
    toErrorName(cause) === 'DatabaseUnavailableError' ? NO_DATABASE : UNREACHABLE,
  TrackingTimeoutError: toAnswer(
    504,
    'Upstream timeout',
    'provider-timeout',
    `${PROVIDER} did not answer in time.`,
  ),
  TrackingBrokenOffError: toAnswer(
    502,
    'Upstream broke off',
    'provider-broke-off',
    `${PROVIDER}'s answer broke off.`,
  ),
  TrackingRedirectError: toAnswer(
    502,
    'Upstream moved',
    'provider-redirect',
    `${PROVIDER} points to another address, where this server's credentials are not sent.`,
  ),
  TrackingTooLongError: toAnswer(
    502,
    'Answer too long upstream',
    'provider-too-long',
    `${PROVIDER}'s answer is longer than this server reads.`,
  ),
  TrackingMismatchError: toAnswer(
    502,
    'Wrong answer upstream',
    'provider-mismatch',
    `${PROVIDER} answered for another unit or fleet than was asked for.`,
  ),
  TrackingEmptyError: UNUSABLE,
  TrackingErrorInsideError: UNUSABLE,
  TrackingUnusableError: UNUSABLE,
  TrackingShapeError: UNUSABLE,
};
