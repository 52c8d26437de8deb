import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Database, Executor } from '@/lib/postgres/database';
import { deleteInvitation, findInvitation } from './invitation-repository';
import { findPasswordReset, insertPasswordReset, deletePasswordResetsFor } from './password-reset-repository';
import type { OpenPasswordReset } from './password-reset-repository';
import { insertUser, lockUsers, readUserByEmail, writePassword } from './user-repository';
import type { Join, Reset } from '@/lib/users/schema';
import type { Client } from '@/lib/auth/server/client';
import { createAttemptLimit } from '@/lib/auth/server/attempt-limit';
import type { Audit } from '@/lib/audit/server/audit';
import type { LinkMaker } from './link-maker';
import { createLinkToken, toTokenHash } from './link-token';
import { toResetMail } from './mail-text';
import { mayStillGive } from './user-scope';

/** Short, because the user who requests the e-mail opens it at once. */
const MAILED_RESET_MS = 3_600_000;

/** The operations of link tokens, and the request for one, without a session. */
export interface LinkBearers {
  /** The e-mail address of the invitation. @throws AppError 'dead-link', 'too-many-attempts' */
  readInvitation: (token: string, client: Client) => Promise<{ email: string }>;
  /**
   * Creates the invited user; returns the e-mail address to sign in with.
   * @throws AppError 'dead-link', 'email-taken', 'too-many-attempts'
   */
  join: (input: Join, client: Client) => Promise<{ email: string }>;
  /** The e-mail address of the user. @throws AppError 'dead-link', 'too-many-attempts' */
  readReset: (token: string, client: Client) => Promise<{ email: string }>;
  /** Sets a password, and ends every session of the user. @throws AppError 'dead-link', 'too-many-attempts' */
  reset: (input: Reset, client: Client) => Promise<void>;
  /**
   * Sends a reset link if the address belongs to a user; neither the answer nor its timing shows whether it does.
   * @throws AppError 'no-mail', 'too-many-attempts'
   */
  askForReset: (email: string, client: Client) => Promise<void>;
}

export interface LinkBearersOptions {
  open: () => Promise<Database>;
  audit: Audit;
  links: LinkMaker;
  hash: (password: string) => Promise<string>;
  now: () => number;
  forgetUser: (id: string) => void;
  onFailed: (error: unknown) => void;
}

export const createLinkBearers = (options: LinkBearersOptions): LinkBearers => {
  const { open, audit, links, hash, now, forgetUser, onFailed } = options;
  /** Separate from sign-in attempts: guessed links must not keep a user from signing in. */
  const attempts = createAttemptLimit();

  const take = async (account: string, { address }: Client): Promise<() => Promise<void>> => {
    const attempt = { address, account };
    await attempts.take(attempt);
    return () => attempts.succeed(attempt);
  };

  /** Runs the operation of a link; an invalid link counts as an attempt for its token and for the client's address. */
  const withLink = async <T>(
    token: string,
    client: Client,
    run: (hash: string) => Promise<T>,
  ): Promise<T> => {
    const tokenHash = toTokenHash(token);
    const succeed = await take(tokenHash, client);
    const done = await run(tokenHash);
    await succeed();
    return done;
  };

  const findOpenInvitation = async (orm: Executor, tokenHash: string) => {
    const invitation = await findInvitation(orm, tokenHash, now());
    if (invitation === null || !(await mayStillGive(orm, invitation.invitedById, invitation.usdots)))
      throw new AppError('dead-link');
    return invitation;
  };

  /**
   * A link that the user requested is always valid; a manager's link is valid while the user is in the manager's scope.
   */
  const mayReset = async (orm: Executor, { madeById, userId, usdots }: OpenPasswordReset) =>
    madeById === null || madeById === userId || mayStillGive(orm, madeById, usdots);

  const findOpenReset = async (orm: Executor, tokenHash: string) => {
    const reset = await findPasswordReset(orm, tokenHash, now());
    if (reset === null || !(await mayReset(orm, reset))) throw new AppError('dead-link');
    return reset;
  };

  /**
   * Consumes a link that sets a password. Hashing is slow, so it runs only for a valid link and before the user lock is
   * taken; the link is then read again under the lock.
   */
  const consumeLink = async <Found, Done>(
    password: string,
    find: (orm: Executor) => Promise<Found>,
    run: (tx: Executor, found: Found, passwordHash: string) => Promise<Done>,
  ): Promise<Done> => {
    const { orm } = await open();
    await find(orm);
    const passwordHash = await hash(password);
    return orm.transaction(async (tx) => {
      await lockUsers(tx);
      return run(tx, await find(tx), passwordHash);
    });
  };

  const join = (tokenHash: string, { name, password }: Join, { address }: Client) =>
    consumeLink(
      password,
      (orm) => findOpenInvitation(orm, tokenHash),
      async (tx, { id: invitationId, email, role, usdots }, passwordHash) => {
        const user = { id: crypto.randomUUID(), name, email, role, usdots };
        const by = { kind: 'user', ...user } as const;
        await deleteInvitation(tx, invitationId);
        await insertUser(tx, { ...user, passwordHash }, now());
        const details = { role, usdots };
        await audit.note({ by, action: 'user.join', subject: email, address, details }, tx);
        return { email };
      },
    );

  const reset = async (tokenHash: string, password: string, { address }: Client) => {
    const id = await consumeLink(
      password,
      (orm) => findOpenReset(orm, tokenHash),
      async (tx, { userId, email }, passwordHash) => {
        await deletePasswordResetsFor(tx, userId);
        await writePassword(tx, userId, passwordHash, now());
        await audit.note({ by: null, action: 'user.reset-password', subject: email, address }, tx);
        return userId;
      },
    );
    forgetUser(id);
  };

  const mailReset = async (email: string): Promise<void> => {
    const { orm } = await open();
    const token = createLinkToken();
    const tokenHash = toTokenHash(token);
    const expiresAtMs = now() + MAILED_RESET_MS;
    const isMade = await orm.transaction(async (tx) => {
      await lockUsers(tx);
      const user = await readUserByEmail(tx, email);
      if (user === null || user.disabledAtMs !== null) return false;
      const id = crypto.randomUUID();
      await insertPasswordReset(tx, { id, tokenHash, userId: user.id, madeById: null, expiresAtMs }, now());
      return true;
    });
    if (!isMade) return;
    await links.mail(toResetMail({ to: email, link: links.toLink('/reset', token), expiresAtMs }));
  };

  return {
    readInvitation: (token, client) =>
      withLink(token, client, async (tokenHash) => {
        const { email } = await findOpenInvitation((await open()).orm, tokenHash);
        return { email };
      }),
    join: (input, client) => withLink(input.token, client, (tokenHash) => join(tokenHash, input, client)),
    readReset: (token, client) =>
      withLink(token, client, async (tokenHash) => {
        const { email } = await findOpenReset((await open()).orm, tokenHash);
        return { email };
      }),
    reset: ({ token, password }, client) =>
      withLink(token, client, (tokenHash) => reset(tokenHash, password, client)),
    askForReset: async (email, client) => {
      if (!links.canMail) throw new AppError('no-mail');
      await take(email, client);
      const { address } = client;
      await audit.note({ by: null, action: 'user.ask-for-reset', subject: email, address });
      // Not awaited: its duration would show whether such a user exists.
      mailReset(email).catch(onFailed);
    },
  };
};
