import 'server-only';
import type { Problem } from '@/lib/wire/problem';

interface Entry {
  status: number;
  title: string;
  /** Shown to the user if the error has no detail of its own. */
  detail?: string;
  /** The field of a form that the detail is about. */
  field?: string;
  retryAfterS?: number;
}

const NO_SUCH_ADDRESS = 'The API has nothing at this address.';
const MALFORMED = { status: 400, title: 'Malformed address' };

/** Every error that a client may read, by its stable code. */
const PROBLEMS = {
  internal: { status: 500, title: 'Internal error' },

  // The request itself.
  'bad-input': { status: 400, title: 'Input that cannot be used' },
  'malformed-address': MALFORMED,
  'malformed-key': MALFORMED,
  'malformed-usdot': MALFORMED,
  'malformed-version': MALFORMED,
  'malformed-vin': MALFORMED,
  'input-too-long': { status: 413, title: 'Input too long' },
  'url-too-long': {
    status: 414,
    title: 'Address too long',
    detail: 'No address of this server is that long.',
  },
  'unknown-address': { status: 404, title: 'No such address', detail: NO_SUCH_ADDRESS },
  'metrics-token': {
    status: 401,
    title: 'Token needed',
    detail: 'Send the metrics token as a bearer token.',
  },
  'cross-origin': {
    status: 403,
    title: 'Cross-origin request',
    detail: 'Only pages of this server may send this request.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    detail: 'This network address sends more requests than it may.',
  },

  // Signing in, links and the viewer's own account.
  'sign-in-needed': {
    status: 401,
    title: 'Sign in first',
    detail: 'You are not signed in, or your session has ended.',
  },
  'sign-in-refused': {
    status: 401,
    title: 'Not signed in',
    detail: 'No account goes with this e-mail address and password.',
  },
  'too-many-attempts': { status: 429, title: 'Too many attempts' },
  'accounts-unavailable': {
    status: 503,
    title: 'Accounts unavailable',
    detail: 'Signing in is not possible right now: this server cannot reach its database.',
    retryAfterS: 5,
  },
  'identity-provider': {
    status: 502,
    title: 'Single sign-on unavailable',
    detail: 'The single sign-on of your company cannot be reached now.',
  },
  'second-factor-refused': {
    status: 403,
    title: 'Wrong code',
    detail:
      'That code is wrong, or was used before. Wait for the next code of the app, or use a recovery code that is left.',
  },
  'sign-in-too-late': {
    status: 409,
    title: 'Sign in again',
    detail: 'This took too long, or too many codes were tried. Begin again with your password.',
  },
  'second-factor-needed': {
    status: 403,
    title: 'Second factor needed',
    detail: 'Managers need a second factor here: set yours up on your account page.',
  },
  'second-factor-state': {
    status: 409,
    title: 'Changed meanwhile',
    detail: 'Your second factor was changed elsewhere. Reload the page.',
  },
  'wrong-password': { status: 403, title: 'Wrong password', detail: 'That is not your password.' },
  'unknown-account-part': {
    status: 404,
    title: 'Not there',
    detail: 'It does not exist, or not any more.',
  },
  'set-up-code': {
    status: 403,
    title: 'Wrong code',
    detail: 'That is not the code that the server printed.',
  },
  'set-up-closed': {
    status: 409,
    title: 'Set up already',
    detail: 'This server has been set up. Sign in instead.',
  },
  'dead-link': {
    status: 404,
    title: 'Link does not work',
    detail: 'This link was used, withdrawn, or has expired. Ask a manager for a new one.',
  },
  'no-mail': {
    status: 404,
    title: 'No mail',
    detail: 'This server sends no mail. A manager can give you a link.',
  },
  'unknown-screen': {
    status: 404,
    title: 'No such screen',
    detail: 'This link opens no wall screen, or does not any more.',
  },

  // What a signed-in viewer may do.
  'managers-only': { status: 403, title: 'Managers only', detail: 'Only a manager may do that.' },
  'not-for-screens': {
    status: 403,
    title: 'Not for screens',
    detail: 'A wall screen shows the map of its fleets, and nothing else.',
  },
  'beyond-reach': {
    status: 403,
    title: 'Outside your fleets',
    detail: 'You can give only the fleets that you see yourself.',
  },
  'whole-server': {
    status: 403,
    title: 'Not for managers of some fleets',
    detail: 'Settings hold for every fleet: only a manager who sees all of them can change one.',
  },
  'fixed-setting': {
    status: 409,
    title: 'Set by the environment',
    detail: 'The server was started with this setting: it can only be changed where it is started.',
  },
  'unknown-user': {
    status: 404,
    title: 'No such user',
    detail: 'There is no such user or invitation any more.',
  },
  'email-taken': {
    status: 409,
    title: 'Address taken',
    detail: 'This e-mail address already has an account or an open invitation.',
    field: 'email',
  },
  'own-rights': {
    status: 409,
    title: 'Your own rights',
    detail: 'Another manager has to change your role and fleets, or disable you.',
  },
  'own-second-factor': {
    status: 409,
    title: 'Your own second factor',
    detail: 'Remove your own second factor on your account page, with your password.',
  },
  'demo-has-no-users': {
    status: 409,
    title: 'No users in the demo',
    detail: 'The demo runs without signing in. Start Linehaul with ACCOUNTS=required to invite users.',
  },

  // Fleets and units. A fleet out of the viewer's scope is answered as one that does not exist.
  'unknown-fleet': {
    status: 404,
    title: 'No such fleet',
    detail: 'There is no fleet of that number, or none that you may see.',
  },
  'unknown-unit': { status: 404, title: 'No such unit', detail: 'The fleet has no unit of that name.' },
  'too-many-fleets': {
    status: 503,
    title: 'Too many fleets',
    detail: 'This server watches as many fleets as it can.',
    retryAfterS: 30,
  },
  'attempt-too-soon': {
    status: 429,
    title: 'Tried a moment ago',
    detail: 'The tracking provider was requested a moment ago. Wait a few seconds before you try again.',
  },
  'too-many-calls': {
    status: 503,
    title: 'Too many requests to the provider',
    detail: 'Pages request more from the tracking API than this server allows.',
  },

  // Vehicles, devices and keys of the embedded tracking service, and the database.
  'device-taken': {
    status: 409,
    title: 'Device taken',
    detail: 'Another vehicle has this device id.',
    field: 'deviceId',
  },
  'vehicle-taken': { status: 409, title: 'Vehicle known', field: 'vin' },
  'unknown-vehicle': {
    status: 404,
    title: 'No such vehicle',
    detail: 'The carrier has no such vehicle any more.',
  },
  'unknown-credential': {
    status: 404,
    title: 'No such key',
    detail: 'The key has ended, or never existed.',
  },
  'not-embedded': {
    status: 404,
    title: 'No service here',
    detail: 'This application reads a tracking API elsewhere.',
  },
  'database-unavailable': {
    status: 503,
    title: 'No database',
    detail: 'This server cannot reach its database.',
    retryAfterS: 5,
  },

  'database-full': {
    status: 503,
    title: 'Disk full',
    detail: 'The disk of this server is full, so nothing can be changed.',
    retryAfterS: 5,
  },

  // Failures of the tracking provider.
  'provider-forbidden': {
    status: 403,
    title: 'Not visible to this server',
    detail: "The tracking API does not show this to this server's key.",
  },
  'provider-credentials': {
    status: 502,
    title: 'Credentials refused',
    detail: "The tracking API refuses this server's credentials.",
  },
  'provider-not-found': { status: 404, title: 'Not found upstream' },
  'provider-rate-limit': {
    status: 503,
    title: 'Too many requests upstream',
    detail: 'The tracking API limits the requests of this server.',
  },
  'provider-status': { status: 502, title: 'Upstream failure' },
  'provider-unreachable': {
    status: 502,
    title: 'Upstream unreachable',
    detail: 'The tracking API cannot be reached.',
  },
  'provider-timeout': {
    status: 504,
    title: 'Upstream timeout',
    detail: 'The tracking API did not answer in time.',
  },
  'provider-broke-off': {
    status: 502,
    title: 'Upstream broke off',
    detail: "The tracking API's answer broke off.",
  },
  'provider-redirect': {
    status: 502,
    title: 'Upstream moved',
    detail: "The tracking API points to another address, where this server's credentials are not sent.",
  },
  'provider-too-long': {
    status: 502,
    title: 'Answer too long upstream',
    detail: "The tracking API's answer is longer than this server reads.",
  },
  'provider-mismatch': {
    status: 502,
    title: 'Wrong answer upstream',
    detail: 'The tracking API answered for another unit or fleet than was requested.',
  },
  'provider-shape': {
    status: 502,
    title: 'Unusable answer upstream',
    detail: 'The tracking API gave an answer that cannot be read.',
  },
} as const satisfies Record<string, Entry>;
export type AppErrorCode = keyof typeof PROBLEMS;

/** Marks an AppError for every copy of this module: Next.js bundles routes separately from the server. */
const BRAND = Symbol.for('linehaul.AppError');

export interface AppErrorDetails extends ErrorOptions {
  /** For the log only. */
  message?: string;
  /** Shown to the user in place of the detail of the code. */
  detail?: string;
  /** What is wrong, by field. */
  faults?: Problem['faults'];
  retryAfterS?: number;
}

/** An error that a client may read. It is answered by its code, with a status, a title and a detail. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly [BRAND] = true;
  readonly detail: string | undefined;
  readonly faults: Problem['faults'];
  readonly retryAfterS: number | undefined;

  constructor(
    readonly code: AppErrorCode,
    { message, detail, faults, retryAfterS, ...options }: AppErrorDetails = {},
  ) {
    super(message ?? detail ?? PROBLEMS[code].title, options);
    this.detail = detail;
    this.faults = faults;
    this.retryAfterS = retryAfterS;
  }
}

/**
 * Whether an error is an AppError, made by any copy of this module, and has one of the codes if some are
 * given.
 */
export const isAppError = (error: unknown, ...codes: AppErrorCode[]): error is AppError =>
  error instanceof Error &&
  BRAND in error &&
  (codes.length === 0 || codes.includes((error as AppError).code));

/** The part of an error that a client may read, and the seconds until it may retry. */
export const toAnswer = ({
  code,
  ...error
}: Pick<AppError, 'code'> & Pick<AppErrorDetails, 'detail' | 'faults' | 'retryAfterS'>): {
  problem: Problem;
  retryAfterS: number | undefined;
} => {
  const { status, title, field, ...entry }: Entry = PROBLEMS[code];
  const detail = error.detail ?? entry.detail;
  const faults =
    error.faults ?? (field === undefined || detail === undefined ? undefined : [{ field, message: detail }]);
  return {
    problem: {
      type: 'about:blank',
      title,
      status,
      code,
      ...(detail === undefined ? {} : { detail }),
      ...(faults === undefined ? {} : { faults }),
    },
    retryAfterS: error.retryAfterS ?? entry.retryAfterS,
  };
};
