import 'server-only';
import type { Database } from '@/lib/storage/database';
import { deleteInvitation, findInvitation } from '@/lib/storage/invitations';
import { findPasswordReset, insertPasswordReset, takePasswordReset } from '@/lib/storage/password-resets';
import { insertUser, readUserByEmail, writePassword } from '@/lib/storage/users';
import type { Join, Reset } from '@/lib/wire/users';
import type { Asker } from './asker';
import { createAttemptLimit } from './attempt-limit';
import type { Audit } from './audit';
import { DeadLinkError, NoMailError, TooManyAttemptsError } from './errors';
import type { LinkMaker } from './link-maker';
import { createLinkToken, toTokenHash } from './link-token';
import { toResetMail } from './mail-words';

/** Who asks by mail opens it at once. */
const MAILED_RESET_MS = 3_600_000;

/** What somebody may do who is not signed in and bears a link, or asks for one. */
export interface LinkBearers {
  /** The e-mail address of the invitation. @throws DeadLinkError, TooManyAttemptsError */
  readInvitation: (token: string, asker: Asker) => Promise<{ email: string }>;
  /** Makes the user whom a manager invited; gives the e-mail address to sign in with. @throws DeadLinkError, EmailTakenError, TooManyAttemptsError */
  join: (input: Join, asker: Asker) => Promise<{ email: string }>;
  /** Whose password it is. @throws DeadLinkError, TooManyAttemptsError */
  readReset: (token: string, asker: Asker) => Promise<{ email: string }>;
  /** Sets a password, and ends every session of its user. @throws DeadLinkError, TooManyAttemptsError */
  reset: (input: Reset, asker: Asker) => Promise<void>;
  /**
   * Sends a link to a new password, where the address is a user's; whether it is shows neither in the answer nor in how
   * long it takes. @throws NoMailError, TooManyAttemptsError
   */
  askForReset: (email: string, asker: Asker) => Promise<void>;
}

export interface LinkBearersOptions {
  open: () => Promise<Database>;
  audit: Audit;
  links: LinkMaker;
  hash: (password: string) => Promise<string>;
  now: () => number;
  elapsed: () => number;
  forgetUser: (id: string) => void;
  onFailed: (error: unknown) => void;
}

export const createLinkBearers = (options: LinkBearersOptions): LinkBearers => {
  const { open, audit, links, hash, now, elapsed, forgetUser, onFailed } = options;
  /** Apart from sign-ins: nobody is kept from signing in because somebody tries links. */
  const attempts = createAttemptLimit({ elapsed });

  const take = (account: string, { address }: Asker): (() => void) => {
    const attempt = { address, account };
    const waitS = attempts.take(attempt);
    if (waitS > 0) throw new TooManyAttemptsError(waitS);
    return () => attempts.succeed(attempt);
  };

  /** Runs what a link is for; a wrong link counts as an attempt, by its own token and by the client's address. */
  const withLink = async <T>(token: string, asker: Asker, run: (hash: string) => Promise<T>): Promise<T> => {
    const tokenHash = toTokenHash(token);
    const succeed = take(tokenHash, asker);
    const done = await run(tokenHash);
    succeed();
    return done;
  };

  const findOpenInvitation = async (database: Database, tokenHash: string) => {
    const invitation = await findInvitation(database.orm, tokenHash, now());
    if (invitation === null) throw new DeadLinkError('Got a link to no invitation.');
    return invitation;
  };

  const findOpenReset = async (database: Database, tokenHash: string) => {
    const reset = await findPasswordReset(database.orm, tokenHash, now());
    if (reset === null) throw new DeadLinkError('Got a link to no password.');
    return reset;
  };

  const join = async (tokenHash: string, { name, password }: Join, { address }: Asker) => {
    const database = await open();
    const { id: invitationId, email, role, usdots } = await findOpenInvitation(database, tokenHash);
    const passwordHash = await hash(password);
    const id = crypto.randomUUID();
    const user = { id, name, email, role, usdots };
    await database.orm.transaction(async (tx) => {
      if (!(await deleteInvitation(tx, invitationId))) throw new DeadLinkError('Somebody was quicker.');
      await insertUser(tx, { ...user, passwordHash }, now());
      await audit.note(
        {
          by: { kind: 'user', ...user },
          action: 'user.join',
          subject: email,
          address,
          details: { role, usdots },
        },
        tx,
      );
    });
    return { email };
  };

  const reset = async (tokenHash: string, password: string, { address }: Asker) => {
    const database = await open();
    const { userId, email } = await findOpenReset(database, tokenHash);
    const passwordHash = await hash(password);
    await database.orm.transaction(async (tx) => {
      if (!(await takePasswordReset(tx, tokenHash, userId))) throw new DeadLinkError('Somebody was quicker.');
      await writePassword(tx, userId, passwordHash, now());
      await audit.note({ by: null, action: 'user.reset-password', subject: email, address }, tx);
    });
    forgetUser(userId);
  };

  const mailReset = async (email: string): Promise<void> => {
    const { orm } = await open();
    const user = await readUserByEmail(orm, email);
    if (user === null || user.disabledAtMs !== null) return;
    const token = createLinkToken();
    const expiresAtMs = now() + MAILED_RESET_MS;
    await insertPasswordReset(
      orm,
      {
        id: crypto.randomUUID(),
        tokenHash: toTokenHash(token),
        userId: user.id,
        madeById: null,
        expiresAtMs,
      },
      now(),
    );
    await links.mail(toResetMail({ to: email, link: links.toLink('/reset', token), expiresAtMs }));
  };

  return {
    readInvitation: (token, asker) =>
      withLink(token, asker, async (tokenHash) => {
        const { email } = await findOpenInvitation(await open(), tokenHash);
        return { email };
      }),
    join: (input, asker) => withLink(input.token, asker, (tokenHash) => join(tokenHash, input, asker)),
    readReset: (token, asker) =>
      withLink(token, asker, async (tokenHash) => {
        const { email } = await findOpenReset(await open(), tokenHash);
        return { email };
      }),
    reset: ({ token, password }, asker) =>
      withLink(token, asker, (tokenHash) => reset(tokenHash, password, asker)),
    askForReset: async (email, asker) => {
      if (!links.canMail) throw new NoMailError('No mail server is configured.');
      take(email, asker);
      const { address } = asker;
      await audit.note({ by: null, action: 'user.ask-for-reset', subject: email, address });
      // Not waited for: how long it takes would tell whether there is such a user.
      mailReset(email).catch(onFailed);
    },
  };
};
