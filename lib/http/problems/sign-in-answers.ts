import 'server-only';
import type { TooManyAttemptsError } from '@/lib/auth/server/errors';
import { toAnswer } from './answer';
import type { Answers } from './answer';

/** What keeps somebody from coming in: signing in and its second step, the set-up, links, one's own account. */
export const SIGN_IN_ANSWERS: Answers = {
  SignInNeededError: toAnswer(
    401,
    'Sign in first',
    'sign-in-needed',
    'Nobody is signed in, or the session has ended.',
  ),
  SignInRefusedError: toAnswer(
    401,
    'Not signed in',
    'sign-in-refused',
    'No account goes with this e-mail address and password.',
  ),
  TooManyAttemptsError: ({ retryAfterS }: TooManyAttemptsError) => {
    const minutes = Math.ceil(retryAfterS / 60);
    const words = `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
    return toAnswer(429, 'Too many attempts', 'too-many-attempts', words, retryAfterS);
  },
  AccountsUnavailableError: toAnswer(
    503,
    'No accounts now',
    'accounts-unavailable',
    'Nobody can sign in now: this server cannot reach its database.',
    5,
  ),
  IdentityProviderError: toAnswer(
    502,
    'Single sign-on away',
    'identity-provider',
    'The single sign-on of your company cannot be reached now.',
  ),
  SecondFactorRefusedError: toAnswer(
    403,
    'Wrong code',
    'second-factor-refused',
    'That code is wrong, or was used before. Wait for the next code of the app, or use a recovery code that is left.',
  ),
  SignInTooLateError: toAnswer(
    409,
    'Sign in again',
    'sign-in-too-late',
    'This took too long, or too many codes were tried. Begin again with your password.',
  ),
  SecondFactorNeededError: toAnswer(
    403,
    'Second factor needed',
    'second-factor-needed',
    'Managers need a second factor here: set yours up on your account page.',
  ),
  SecondFactorStateError: toAnswer(
    409,
    'Changed meanwhile',
    'second-factor-state',
    'Your second factor was changed elsewhere. Reload the page.',
  ),
  WrongPasswordError: toAnswer(403, 'Wrong password', 'wrong-password', 'That is not your password.'),
  NoSuchAccountPartError: toAnswer(
    404,
    'Not there',
    'unknown-account-part',
    'It is not there, or not any more.',
  ),
  SetUpCodeError: toAnswer(403, 'Wrong code', 'set-up-code', 'That is not the code that the server printed.'),
  SetUpClosedError: toAnswer(
    409,
    'Set up already',
    'set-up-closed',
    'This server has been set up. Sign in instead.',
  ),
  DeadLinkError: toAnswer(
    404,
    'Link of no use',
    'dead-link',
    'This link was used, withdrawn, or has expired. Ask a manager for a new one.',
  ),
  NoMailError: toAnswer(
    404,
    'No mail',
    'no-mail',
    'This server sends no mail. A manager can give you a link.',
  ),
  NoSuchScreenError: toAnswer(
    404,
    'No such screen',
    'unknown-screen',
    'This link opens no wall screen, or does not any more.',
  ),
};
