import 'server-only';
import type { Problem } from '@/lib/wire/problem';
import type { TrackingNotFoundError, TrackingStatusError } from '@/lib/tracking/errors';
import type { TooManyCallsError } from './bounded-client';
import type { TooManyRequestsError } from './door/door';
import type { InvalidRecordError } from '@/service/store/errors';
import type { TooManyAttemptsError } from '@/lib/accounts/errors';
import type { BadParameterError } from './guards';
import type { BadInputError } from './read-input';

/** The address is under /api and names nothing there. */
export class NoSuchRouteError extends Error {
  override name = 'NoSuchRouteError';
}

interface Answer {
  problem: Problem;
  retryAfterS?: number;
}

const toAnswer = (
  status: number,
  title: string,
  code: string,
  detail?: string,
  retryAfterS?: number,
): Answer => ({
  problem: { type: 'about:blank', title, status, code, ...(detail === undefined ? {} : { detail }) },
  ...(retryAfterS === undefined ? {} : { retryAfterS }),
});

const nameOf = (error: unknown): unknown => (error as { name?: unknown } | null | undefined)?.name;

const NO_DATABASE = toAnswer(
  503,
  'No database',
  'database-unavailable',
  'The embedded tracking service cannot reach its database.',
  5,
);
const PROVIDER = 'The tracking API';

const toRecordWords = (fault: InvalidRecordError['faults'][number] | undefined): string =>
  fault === undefined ? 'The input cannot be used.' : `${fault.field} ${fault.message}.`;

const fromStatus = ({ status, retryAfterMs }: TrackingStatusError): Answer => {
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

/**
 * The one place where an error becomes what a browser may read. What an error says in full is for the log.
 *
 * Classes are told by name: Next.js loads a module once for each of its bundles, and then `instanceof`
 * says no to an error of the same class from another one.
 */
const translate = (error: unknown): Answer => {
  switch (nameOf(error)) {
    case 'BadParameterError': {
      const { message, code } = error as BadParameterError;
      return toAnswer(400, 'Malformed address', code, message);
    }
    case 'BadInputError': {
      const { message, faults } = error as BadInputError;
      const answer = toAnswer(400, 'Input that cannot be used', 'bad-input', message);
      return { ...answer, problem: { ...answer.problem, faults } };
    }
    case 'InputTooLongError':
      return toAnswer(413, 'Input too long', 'input-too-long', (error as Error).message);
    case 'SignInNeededError':
      return toAnswer(
        401,
        'Sign in first',
        'sign-in-needed',
        'Nobody is signed in, or the session has ended.',
      );
    case 'SignInRefusedError':
      return toAnswer(
        401,
        'Not signed in',
        'sign-in-refused',
        'No account goes with this e-mail address and password.',
      );
    case 'TooManyAttemptsError': {
      const { retryAfterS } = error as TooManyAttemptsError;
      const minutes = Math.ceil(retryAfterS / 60);
      const words = `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
      return toAnswer(429, 'Too many attempts', 'too-many-attempts', words, retryAfterS);
    }
    case 'SecondFactorRefusedError':
      return toAnswer(
        403,
        'Wrong code',
        'second-factor-refused',
        'That is not the code which the app shows now, nor a recovery code that is left.',
      );
    case 'SignInTooLateError':
      return toAnswer(
        409,
        'Sign in again',
        'sign-in-too-late',
        'This took too long, or too many codes were tried. Begin again with your password.',
      );
    case 'SecondFactorNeededError':
      return toAnswer(
        403,
        'Second factor needed',
        'second-factor-needed',
        'Managers need a second factor here: set yours up on your account page.',
      );
    case 'WrongPasswordError':
      return toAnswer(403, 'Wrong password', 'wrong-password', 'That is not your password.');
    case 'SecondFactorStateError':
      return toAnswer(
        409,
        'Changed meanwhile',
        'second-factor-state',
        'Your second factor was changed elsewhere. Reload the page.',
      );
    case 'NoSuchScreenError':
      return toAnswer(
        404,
        'No such screen',
        'unknown-screen',
        'This link opens no wall screen, or does not any more.',
      );
    case 'NoSuchAccountPartError':
      return toAnswer(404, 'Not there', 'unknown-account-part', 'It is not there, or not any more.');
    case 'IdentityProviderError':
      return toAnswer(
        502,
        'Single sign-on away',
        'identity-provider',
        'The single sign-on of your company cannot be reached now.',
      );
    case 'RoleNeededError':
      return toAnswer(403, 'Managers only', 'managers-only', 'Only a manager may do that.');
    case 'ScreenRefusedError':
      return toAnswer(
        403,
        'Not for screens',
        'not-for-screens',
        'A wall screen shows the map of its fleets, and nothing else.',
      );
    case 'NoSuchFleetError':
    case 'UnknownCarrierError':
    case 'UnknownFleetError':
      return toAnswer(
        404,
        'No such fleet',
        'unknown-fleet',
        'There is no fleet of that number, or none that you may see.',
      );
    case 'AccountsUnavailableError':
      return toAnswer(
        503,
        'No accounts now',
        'accounts-unavailable',
        'Nobody can sign in now: this server cannot reach its database.',
        5,
      );
    case 'SetUpCodeError':
      return toAnswer(403, 'Wrong code', 'set-up-code', 'That is not the code that the server printed.');
    case 'SetUpClosedError':
      return toAnswer(
        409,
        'Set up already',
        'set-up-closed',
        'This server has been set up. Sign in instead.',
      );
    case 'EmailTakenError':
      return toAnswer(409, 'Address taken', 'email-taken', 'Another user has this e-mail address.');
    case 'InvalidRecordError': {
      const { faults } = error as InvalidRecordError;
      const answer = toAnswer(400, 'Input that cannot be used', 'bad-input', toRecordWords(faults[0]));
      return { ...answer, problem: { ...answer.problem, faults } };
    }
    case 'DeviceTakenError':
      return toAnswer(409, 'Device taken', 'device-taken', 'Another vehicle has this device id.');
    case 'VehicleTakenError':
      return toAnswer(409, 'Vehicle known', 'vehicle-taken', (error as Error).message);
    case 'NoSuchVehicleError':
      return toAnswer(404, 'No such vehicle', 'unknown-vehicle', 'The carrier has no such vehicle any more.');
    case 'NoSuchCredentialError':
      return toAnswer(404, 'No such key', 'unknown-credential', 'It has ended, or there never was one.');
    case 'NoSuchUserError':
      return toAnswer(404, 'No such user', 'unknown-user', 'There is no such user or invitation any more.');
    case 'BeyondReachError':
      return toAnswer(
        403,
        'Not yours to give',
        'beyond-reach',
        'You can give only the fleets that you see yourself.',
      );
    case 'OwnRightsError':
      return toAnswer(
        409,
        'Your own rights',
        'own-rights',
        'Nobody can change their own role or fleets, or disable themselves. Ask another manager.',
      );
    case 'OwnSecondFactorError':
      return toAnswer(
        409,
        'Your own second factor',
        'own-second-factor',
        'Remove your own second factor on your account page, with your password.',
      );
    case 'LastManagerError':
      return toAnswer(
        409,
        'Last manager',
        'last-manager',
        'Nobody else manages all fleets: make another manager first.',
      );
    case 'DeadLinkError':
      return toAnswer(
        404,
        'Link of no use',
        'dead-link',
        'This link was used, withdrawn, or has expired. Ask a manager for a new one.',
      );
    case 'DemoUsersError':
      return toAnswer(
        409,
        'No users in the demo',
        'demo-has-no-users',
        'The demo asks nobody to sign in. Start Linehaul with ACCOUNTS=required to invite others.',
      );
    case 'NoMailError':
      return toAnswer(404, 'No mail', 'no-mail', 'This server sends no mail. A manager can give you a link.');
    case 'NoMetricsError':
    case 'NoSuchRouteError':
    case 'NoSuchAuthRouteError':
      return toAnswer(404, 'No such address', 'unknown-address', 'The API has nothing at this address.');
    case 'MetricsRefusedError':
      return toAnswer(401, 'Token needed', 'metrics-token', 'The metrics are for who bears their token.');
    case 'UrlTooLongError':
      return toAnswer(414, 'Address too long', 'url-too-long', 'No address of this server is that long.');
    case 'TooManyRequestsError':
      return toAnswer(
        429,
        'Too many requests',
        'too-many-requests',
        'This network address asks for more than its share.',
        (error as TooManyRequestsError).retryAfterS,
      );
    case 'TooManyCallsError':
      return toAnswer(
        503,
        'Too many questions',
        'too-many-calls',
        'Pages ask the tracking API for more than this server lets them.',
        (error as TooManyCallsError).retryAfterS,
      );
    case 'CrossOriginError':
      return toAnswer(403, 'Not from here', 'cross-origin', 'Only pages of this server may ask for that.');
    case 'NoSuchUnitError':
      return toAnswer(404, 'No such unit', 'unknown-unit', 'The fleet has no unit of that name.');
    case 'NotEmbeddedError':
      return toAnswer(
        404,
        'No service here',
        'not-embedded',
        'This application reads a tracking API elsewhere.',
      );
    case 'TooManyFleetsError':
      return toAnswer(
        503,
        'Too many fleets',
        'too-many-fleets',
        'This server watches as many fleets as it can.',
        30,
      );
    case 'DatabaseUnavailableError':
      return toAnswer(
        503,
        'No database',
        'database-unavailable',
        'The embedded tracking service has no database.',
        5,
      );
    case 'TrackingAuthError':
      return (error as { status?: unknown }).status === 403
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
    case 'TrackingNotFoundError': {
      const { code } = error as TrackingNotFoundError;
      const words = `${PROVIDER} does not know what was asked for${code === null ? '' : ` (${code})`}.`;
      return toAnswer(404, 'Not found upstream', 'provider-not-found', words);
    }
    case 'TrackingTimeoutError':
      return toAnswer(504, 'Upstream timeout', 'provider-timeout', `${PROVIDER} did not answer in time.`);
    case 'TrackingBrokenOffError':
      return toAnswer(502, 'Upstream broke off', 'provider-broke-off', `${PROVIDER}'s answer broke off.`);
    case 'TrackingNetworkError':
      if (nameOf((error as Error).cause) === 'DatabaseUnavailableError') return NO_DATABASE;
      return toAnswer(502, 'Upstream unreachable', 'provider-unreachable', `${PROVIDER} cannot be reached.`);
    case 'TrackingRedirectError':
      return toAnswer(
        502,
        'Upstream moved',
        'provider-redirect',
        `${PROVIDER} points to another address, where this server's credentials are not sent.`,
      );
    case 'TrackingTooLongError':
      return toAnswer(
        502,
        'Answer too long upstream',
        'provider-too-long',
        `${PROVIDER}'s answer is longer than this server reads.`,
      );
    case 'TrackingMismatchError':
      return toAnswer(
        502,
        'Wrong answer upstream',
        'provider-mismatch',
        `${PROVIDER} answered for another unit or fleet than was asked for.`,
      );
    case 'TrackingEmptyError':
    case 'TrackingErrorInsideError':
    case 'TrackingUnusableError':
    case 'TrackingShapeError':
      return toAnswer(
        502,
        'Unusable answer upstream',
        'provider-shape',
        `${PROVIDER} gave an answer that cannot be read.`,
      );
    case 'TrackingStatusError':
      return fromStatus(error as TrackingStatusError);
    default:
      return toAnswer(500, 'Internal error', 'internal');
  }
};

/** What a browser or a page may be told about an error. */
export const toProblem = (error: unknown): Problem => translate(error).problem;

/** There is no registered scheme for who signs in by a form and bears a cookie. */
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
      // RFC 9110, 11.6.1: who is refused for want of credentials is told which.
      ...(problem.status === 401
        ? { 'www-authenticate': CHALLENGES[problem.code] ?? SESSION_CHALLENGE }
        : {}),
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    },
  });
};
