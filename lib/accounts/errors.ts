import 'server-only';

/** Nobody has signed in, or the session has ended. */
export class SignInNeededError extends Error {
  override name = 'SignInNeededError';

  constructor() {
    super('Nobody is signed in.');
  }
}

/** The viewer's role does not reach that far. */
export class RoleNeededError extends Error {
  override name = 'RoleNeededError';
}

/** The fleet does not exist, or may not be seen: which of the two is nobody's business. */
export class NoSuchFleetError extends Error {
  override name = 'NoSuchFleetError';
}

/** Nothing can be known of accounts, because the database is away. */
export class AccountsUnavailableError extends Error {
  override name = 'AccountsUnavailableError';
}

/** E-mail address and password do not go together, or the user is disabled, or there is none. */
export class SignInRefusedError extends Error {
  override name = 'SignInRefusedError';
}

/** Too many attempts to sign in, from one address or at one account. */
export class TooManyAttemptsError extends Error {
  override name = 'TooManyAttemptsError';

  constructor(readonly retryAfterS: number) {
    super(`Got another attempt when the next may be made in ${retryAfterS} s.`);
  }
}

/** That is not the code which the server printed. */
export class SetUpCodeError extends Error {
  override name = 'SetUpCodeError';
}

/** Somebody has an account already, or this server asks nobody to sign in. */
export class SetUpClosedError extends Error {
  override name = 'SetUpClosedError';
}

/** better-auth has more routes than this server lets anybody reach. */
export class NoSuchAuthRouteError extends Error {
  override name = 'NoSuchAuthRouteError';
}
