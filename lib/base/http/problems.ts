import 'server-only';
import type { Problem } from './protocol';

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
const problem = (
  status: number,
  title: string,
  detail?: string,
  more?: Pick<Entry, 'field' | 'retryAfterS'>,
): Entry => ({ status, title, ...(detail !== undefined && { detail }), ...more });

const MALFORMED = problem(400, 'Malformed address');

/** Every error that a client may read, by its stable code. */
const PROBLEMS = {
  internal: problem(500, 'Internal error'),

  // The request itself.
  'bad-input': problem(400, 'Input that cannot be used'),
  'malformed-address': MALFORMED,
  'malformed-key': MALFORMED,
  'malformed-usdot': MALFORMED,
  'malformed-version': MALFORMED,
  'malformed-vin': MALFORMED,
  'input-too-long': problem(413, 'Input too long'),
  'url-too-long': problem(414, 'Address too long', 'No address of this server is that long.'),
  'unknown-address': problem(404, 'No such address', NO_SUCH_ADDRESS),
  'not-this-method': problem(
    405,
    'Method not allowed',
    'A load is read with GET, made or changed with PUT, removed with DELETE.',
  ),
  'load-key-needed': problem(
    401,
    'Key needed',
    'Send a key for loads as a bearer token: authorization: Bearer lh_load_…',
  ),
  'metrics-token': problem(401, 'Token needed', 'Send the metrics token as a bearer token.'),
  'cross-origin': problem(403, 'Cross-origin request', 'Only pages of this server may send this request.'),
  'too-many-requests': problem(
    429,
    'Too many requests',
    'This network address sends more requests than it may.',
  ),

  // Signing in, links and the viewer's own account.
  'sign-in-needed': problem(401, 'Sign in first', 'You are not signed in, or your session has ended.'),
  'sign-in-refused': problem(401, 'Not signed in', 'No user has this e-mail address and password.'),
  'too-many-attempts': problem(429, 'Too many attempts'),
  'accounts-unavailable': problem(
    503,
    'Accounts unavailable',
    'Signing in is not possible right now: this server cannot reach its database.',
    { retryAfterS: 5 },
  ),
  'identity-provider': problem(
    502,
    'Single sign-on unavailable',
    'The single sign-on of your company cannot be reached now.',
  ),
  'second-factor-refused': problem(
    403,
    'Wrong code',
    'That code is wrong, or was used before. Wait for the next code of the app, or use a recovery code that is left.',
  ),
  'sign-in-too-late': problem(
    409,
    'Sign in again',
    'This took too long, or too many codes were tried. Begin again with your password.',
  ),
  'second-factor-needed': problem(
    403,
    'Second factor needed',
    'Managers need a second factor here: set yours up on your account page.',
  ),
  'second-factor-state': problem(
    409,
    'Changed meanwhile',
    'Your second factor was changed elsewhere. Reload the page.',
  ),
  'wrong-password': problem(403, 'Wrong password', 'That is not your password.'),
  'unknown-account-part': problem(404, 'Not there', 'It does not exist, or not any more.'),
  'set-up-code': problem(403, 'Wrong code', 'That is not the code that the server printed.'),
  'set-up-closed': problem(409, 'Set up already', 'This server has been set up. Sign in instead.'),
  'dead-link': problem(
    404,
    'Link does not work',
    'This link was used, withdrawn, or has expired. Ask a manager for a new one.',
  ),
  'mail-not-sent': problem(502, 'Mail not sent'),
  'no-mail': problem(404, 'No mail', 'This server sends no mail. A manager can give you a link.'),
  'unknown-screen': problem(404, 'No such screen', 'This link opens no wall screen, or does not any more.'),

  // What a signed-in viewer may do.
  'managers-only': problem(403, 'Managers only', 'Only a manager may do that.'),
  'not-for-screens': problem(
    403,
    'Not for screens',
    'A wall screen shows the map of its fleets, and nothing else.',
  ),
  'beyond-scope': problem(403, 'Outside your fleets', 'You can give only the fleets that you see yourself.'),
  'limited-manager': problem(
    409,
    'Managers see all trucks',
    'Only a dispatcher can be limited to trucks with some tags.',
    { field: 'tags' },
  ),
  'whole-fleet-only': problem(
    403,
    'For users of whole fleets',
    'You see only the trucks with some tags. This covers the whole fleet.',
  ),
  'whole-server': problem(
    403,
    'Not for managers of some fleets',
    'Settings apply to every fleet: only a manager who sees all of them can change one.',
  ),
  'fixed-setting': problem(
    409,
    'Set by the environment',
    'The server was started with this setting: it can only be changed where it is started.',
  ),
  'provider-refused': problem(422, 'Provider not connected'),
  'demo-is-shown': problem(
    409,
    'The demo is shown',
    'Connect a provider or track your own trucks first. Then the demo can be removed.',
  ),
  'unknown-user': problem(404, 'No such user', 'There is no such user or invitation any more.'),
  'email-taken': problem(
    409,
    'Address taken',
    'There is already a user or an open invitation with this e-mail address.',
    { field: 'email' },
  ),
  'own-rights': problem(
    409,
    'Your own rights',
    'Another manager has to change your role, fleets and trucks, or disable you.',
  ),
  'own-second-factor': problem(
    409,
    'Your own second factor',
    'Remove your own second factor on your account page, with your password.',
  ),
  'demo-has-no-users': problem(
    409,
    'No users in the demo',
    'The demo runs without signing in. Start Linehaul with ACCOUNTS=required to invite users.',
  ),

  // Fleets and units. A fleet out of the viewer's scope is answered as one that does not exist.
  'unknown-fleet': problem(
    404,
    'No such fleet',
    'There is no fleet of that number, or none that you may see.',
  ),
  'street-map-unavailable': problem(
    503,
    'No street map',
    'The street map of this server cannot be read now, or there is none.',
    { retryAfterS: 60 },
  ),
  'street-tile-damaged': problem(500, 'Damaged tile', 'This tile of the street map cannot be read.'),
  'unknown-site': problem(404, 'No such site', 'The fleet has no such site any more.'),
  'site-name-taken': problem(409, 'Name taken', 'Another site of the fleet has this name.', {
    field: 'name',
  }),
  'too-many-sites': problem(409, 'Too many sites', 'A fleet has at most 5,000 sites.'),
  'unknown-load': problem(404, 'No such load', 'The fleet has no such load any more.'),
  'load-reference-taken': problem(409, 'Reference taken', 'Another load of the fleet has this reference.', {
    field: 'reference',
  }),
  'load-not-understood': problem(422, 'Load not understood'),
  'load-ended': problem(409, 'Load has ended'),
  'pickup-over': problem(409, 'No pickup left', 'A pickup code is for a load that is still to be picked up.'),
  'too-many-loads': problem(409, 'Too many loads', 'A fleet has at most 10,000 loads under way.'),
  'unknown-document': problem(404, 'No such document', 'The fleet has no document with this number.'),
  'unknown-signing-key': problem(404, 'No such key', 'No key that can be trusted has this id.'),
  'unknown-share': problem(404, 'No such link', 'The fleet has no such link any more.'),
  'share-over': problem(409, 'Link has ended', 'A link that has ended stays so. Make a new one.'),
  'share-would-end': problem(
    409,
    'Nothing to show',
    'What is to end the link has happened already. Choose another end.',
    { field: 'endsOn' },
  ),
  'share-not-copied': problem(
    409,
    'Link cannot be copied',
    'It was made with another AUTH_SECRET: it still opens, but only a new one can be copied.',
  ),
  'too-many-shares': problem(409, 'Too many links', 'A fleet has at most 5,000 links that are open.'),
  'unknown-rule': problem(404, 'No such rule', 'There is no such alert rule any more.'),
  'too-many-rules': problem(409, 'Too many rules', 'A fleet has at most 200 alert rules. Remove some first.'),
  'unknown-webhook': problem(404, 'No such webhook', 'The fleet has no such webhook any more.'),
  'too-many-webhooks': problem(
    409,
    'Too many webhooks',
    'A fleet has at most 20 webhooks. Remove one first.',
  ),
  'unknown-delivery': problem(404, 'No such message', 'The webhook has no such message any more.'),
  'no-push': problem(503, 'No push messages', 'This server cannot send push messages now.', {
    retryAfterS: 5,
  }),
  'unknown-alert': problem(404, 'No such alert', 'The fleet has no such alert any more.'),
  'alert-acknowledged': problem(409, 'Acknowledged already'),
  'unknown-unit': problem(404, 'No such truck', 'The fleet has no truck of that name.'),
  'unknown-note': problem(404, 'No such note', 'The note was removed, or never existed.'),
  'too-many-notes': problem(
    409,
    'Too many notes',
    'This fleet has as many notes as it can. Remove some first, or let them expire.',
  ),
  'too-many-contacts': problem(
    409,
    'Too many contacts',
    'This fleet has contacts for as many trucks as it can. Remove some first.',
  ),
  'unknown-tag': problem(404, 'No such tag', 'No truck of this fleet has that tag.', { field: 'tag' }),
  'tag-taken': problem(409, 'Tag taken', 'Another tag of this fleet has that name.', { field: 'to' }),
  'too-many-tags': problem(
    409,
    'Too many tags',
    'This fleet has as many tags, or as many tagged trucks, as it can. Remove a tag first.',
  ),
  'unknown-view': problem(404, 'No such view', 'The view was removed, or belongs to another person.'),
  'view-name-taken': problem(
    409,
    'Name taken',
    'You have a view of that name for this fleet. Choose another name, or change that view.',
    { field: 'name' },
  ),
  'too-many-views': problem(409, 'Too many views', 'You have as many views as you can. Remove one first.'),
  'too-many-fleets': problem(503, 'Too many fleets', 'This server watches as many fleets as it can.', {
    retryAfterS: 30,
  }),
  'fleet-moving': problem(
    503,
    'Fleet not ready',
    'Another server is taking this fleet over. Try again in a few seconds.',
    { retryAfterS: 3 },
  ),
  'feeds-unavailable': problem(
    503,
    'Fleets not ready',
    'This server is starting to poll its fleets again. Try again in a few seconds.',
    { retryAfterS: 3 },
  ),
  'attempt-too-soon': problem(
    429,
    'Tried a moment ago',
    'The tracking provider was requested a moment ago. Wait a few seconds before you try again.',
  ),
  'too-many-calls': problem(
    503,
    'Too many requests to the provider',
    'Pages request more from the tracking API than this server allows.',
  ),

  // Vehicles, devices and keys of the embedded tracking service, and the database.
  'device-taken': problem(409, 'Device taken', 'Another vehicle has this device id.', { field: 'deviceId' }),
  'vehicle-taken': problem(409, 'Vehicle known', undefined, { field: 'vin' }),
  'unknown-vehicle': problem(404, 'No such vehicle', 'The carrier has no such vehicle any more.'),
  'unknown-credential': problem(404, 'No such key', 'The key has ended, or never existed.'),
  'not-embedded': problem(404, 'No service here', 'This application reads a tracking API elsewhere.'),
  'database-unavailable': problem(503, 'No database', 'This server cannot reach its database.', {
    retryAfterS: 5,
  }),

  'database-full': problem(503, 'Disk full', 'The disk of this server is full, so nothing can be changed.', {
    retryAfterS: 5,
  }),

  // Failures of the tracking provider.
  'provider-forbidden': problem(
    403,
    'Not visible to this server',
    "The tracking API does not show this to this server's key.",
  ),
  'provider-credentials': problem(
    502,
    'Credentials refused',
    "The tracking API refuses this server's credentials.",
  ),
  'not-recorded': problem(404, 'Not recorded'),
  'history-busy': problem(
    503,
    'History busy',
    'Too many questions about the past are being answered. Try again in some seconds.',
    { retryAfterS: 5 },
  ),
  'range-too-long': problem(400, 'Range too long'),
  'recording-off': problem(404, 'No recording', 'This server does not record its fleets.'),
  'provider-not-found': problem(404, 'Not found upstream'),
  'provider-rate-limit': problem(
    503,
    'Too many requests upstream',
    'The tracking API limits the requests of this server.',
  ),
  'provider-status': problem(502, 'Upstream failure'),
  'provider-unreachable': problem(502, 'Upstream unreachable', 'The tracking API cannot be reached.'),
  'provider-timeout': problem(504, 'Upstream timeout', 'The tracking API did not answer in time.'),
  'provider-broke-off': problem(502, 'Upstream broke off', "The tracking API's answer broke off."),
  'provider-redirect': problem(
    502,
    'Upstream moved',
    "The tracking API points to another address, where this server's credentials are not sent.",
  ),
  'provider-too-long': problem(
    502,
    'Answer too long upstream',
    "The tracking API's answer is longer than this server reads.",
  ),
  'provider-mismatch': problem(
    502,
    'Wrong answer upstream',
    'The tracking API answered for another unit or fleet than was requested.',
  ),
  'provider-shape': problem(
    502,
    'Unusable answer upstream',
    'The tracking API gave an answer that cannot be read.',
  ),
} satisfies Record<string, Entry>;
export type AppErrorCode = keyof typeof PROBLEMS;

/** Marks an AppError for every copy of this module: Next.js bundles routes separately from the server. */
const BRAND = Symbol.for('linehaul.AppError');

export interface AppErrorDetails extends ErrorOptions {
  /** For the log only. */
  message?: string;
  /** Shown to the user in place of the detail of the code. */
  detail?: string;
  /** Errors by field. */
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
