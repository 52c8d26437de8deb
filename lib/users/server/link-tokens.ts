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

/** Who asks by mail opens it at once. */
const MAILED_RESET_MS = 3_600_000;

/** What somebody may do who is not signed in and bears a link, or asks for one. */
export interface LinkBearers {
  /** The e-mail address of the invitation. @throws AppError 'dead-link', 'too-many-attempts' */
  readInvitation: (token: string, client: Client) => Promise<{ email: string }>;
  /** Makes the user whom a manager invited; gives the e-mail address to sign in with. @throws AppError 'dead-link', 'email-taken', 'too-many-attempts' */
  join: (input: Join, client: Client) => Promise<{ email: string }>;
  /** Whose password it is. @throws AppError 'dead-link', 'too-many-attempts' */
  readReset: (token: string, client: Client) => Promise<{ email: string }>;
  /** Sets a password, and ends every session of its user. @throws AppError 'dead-link', 'too-many-attempts' */
  reset: (input: Reset, client: Client) => Promise<void>;
  /**
   * Sends a link to a new password, where the address is a user's; whether it is shows neither in the answer nor in how
   * long it takes. @throws AppError 'no-mail', 'too-many-attempts'
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
  /** Apart from sign-ins: trying links must not keep a user from signing in. */
  const attempts = createAttemptLimit();

  const take = async (account: string, { address }: Client): Promise<() => Promise<void>> => {
    const attempt = { address, account };
    await attempts.take(attempt);
    return () => attempts.succeed(attempt);
  };

  /** Runs what a link is for; a wrong link counts as an attempt, by its own token and by the client's address. */
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

  /** A mailed link is the user's own; one of a manager works while the user is within the manager's scope. */
  const mayReset = async (orm: Executor, { madeById, userId, usdots }: OpenPasswordReset) =>
    madeById === null || madeById === userId || mayStillGive(orm, madeById, usdots);

  const findOpenReset = async (orm: Executor, tokenHash: string) => {
    const reset = await findPasswordReset(orm, tokenHash, now());
    if (reset === null || !(await mayReset(orm, reset))) throw new AppError('dead-link');
    return reset;
  };

  /**
   * Uses a link up that comes with a new password. Hashing is slow, so it is done only for a link that works and before
   * users are locked; the link is then read again under the lock.
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
      // Not waited for: how long it takes would tell whether there is such a user.
      mailReset(email).catch(onFailed);
    },
  };
};
