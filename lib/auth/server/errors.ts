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

/** A wall screen shows maps: it changes nothing, and reads nothing else. */
export class ScreenRefusedError extends Error {
  override name = 'ScreenRefusedError';
}

/** The fleet does not exist, or may not be seen: which of the two is nobody's business. */
export class NoSuchFleetError extends Error {
  override name = 'NoSuchFleetError';
}

/** Nothing can be known of accounts, because the database is away. */
export class AccountsUnavailableError extends Error {
  override name = 'AccountsUnavailableError';
}

/** What `work` gives; however it fails, that is because accounts cannot be read now. @throws AccountsUnavailableError */
export const orUnavailable = async <T>(words: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AccountsUnavailableError) throw cause;
    throw new AccountsUnavailableError(words, { cause });
  }
};

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

/** A code is neither the one that the authenticator app shows now, nor an unused recovery code. */
export class SecondFactorRefusedError extends Error {
  override name = 'SecondFactorRefusedError';
}

/** The first step of a sign-in is too long ago, or too many codes were tried after it. */
export class SignInTooLateError extends Error {
  override name = 'SignInTooLateError';
}

/** Managers need a second factor here, and this one has not set it up. */
export class SecondFactorNeededError extends Error {
  override name = 'SecondFactorNeededError';

  constructor() {
    super('A manager without a second factor may do nothing but set it up.');
  }
}

/** Whoever changes how they sign in gave a password that is not theirs. */
export class WrongPasswordError extends Error {
  override name = 'WrongPasswordError';
}

/** A second factor was to be set up where there is one, or changed where there is none. */
export class SecondFactorStateError extends Error {
  override name = 'SecondFactorStateError';
}

/** There is no wall screen of that id or link, or it was revoked. */
export class NoSuchScreenError extends Error {
  override name = 'NoSuchScreenError';
}

/** The user has no session of that id, or there is no such user. */
export class NoSuchAccountPartError extends Error {
  override name = 'NoSuchAccountPartError';
}

/** The provider of identities cannot be reached, or does not describe itself. */
export class IdentityProviderError extends Error {
  override name = 'IdentityProviderError';
}

/** No user or invitation has that id, or none that this manager may change: which of the two is not told. */
export class NoSuchUserError extends Error {
  override name = 'NoSuchUserError';
}

/** A manager gives a fleet that they do not see. */
export class BeyondReachError extends Error {
  override name = 'BeyondReachError';
}

/** A manager would take from themselves what they need to give it back. */
export class OwnRightsError extends Error {
  override name = 'OwnRightsError';
}

/** A manager would take their own second factor away without proving who they are. */
export class OwnSecondFactorError extends Error {
  override name = 'OwnSecondFactorError';
}

/** A link was used, withdrawn, has expired, or never was one: which of them is nobody's business. */
export class DeadLinkError extends Error {
  override name = 'DeadLinkError';
}

/** The demo asks nobody to sign in: whoever was invited could not. */
export class DemoUsersError extends Error {
  override name = 'DemoUsersError';
}

/** No mail server is configured. */
export class NoMailError extends Error {
  override name = 'NoMailError';
}

/** A manager who is limited to some fleets would change what holds for all of them. */
export class WholeServerError extends Error {
  override name = 'WholeServerError';
}
