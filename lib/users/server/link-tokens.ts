import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import type { Database, Executor } from '@/lib/database/database';
import {
  deleteInvitation,
  findInvitation,
  findPasswordReset,
  insertPasswordReset,
  deletePasswordResetsFor,
  type OpenPasswordReset,
} from './link-repository';
import { insertUser, lockUsers, readUserByEmail, writePassword } from '@/lib/auth/server/user-repository';
import type { Join, Reset } from '@/lib/users/schema';
import type { Client } from '@/lib/base/viewer';
import { createAttemptLimit, type AttemptLimit, type LimitStore } from '@/lib/base/rate-limits';
import type { Audit } from '@/lib/audit/audit';
import { createLinkToken, toTokenHash, type LinkMaker } from './link-mails';
import { mayStillGrant } from './user-scope';

/** Short, because the user who requests the e-mail opens it at once. */
const MAILED_RESET_MS = 3_600_000;

export interface LinkTokensOptions {
  open: () => Promise<Database>;
  audit: Audit;
  links: LinkMaker;
  hash: (password: string) => Promise<string>;
  clock: Clock;
  forgetUser: (id: string) => void;
  /** Where attempts are counted over several servers; null: there is one. */
  limits: LimitStore | null;
  onFailed: (error: unknown) => void;
}

const findOpenInvitation = async (orm: Executor, tokenHash: string, nowMs: number) => {
  const invitation = await findInvitation(orm, tokenHash, nowMs);
  if (invitation === null || !(await mayStillGrant(orm, invitation.invitedById, invitation.usdots)))
    throw new AppError('dead-link');
  return invitation;
};

/** A link that the user requested is always valid; a manager's while the user is in the manager's scope. */
const mayReset = async (orm: Executor, { madeById, userId, usdots }: OpenPasswordReset): Promise<boolean> =>
  madeById === null || madeById === userId || mayStillGrant(orm, madeById, usdots);

const findOpenReset = async (orm: Executor, tokenHash: string, nowMs: number) => {
  const reset = await findPasswordReset(orm, tokenHash, nowMs);
  if (reset === null || !(await mayReset(orm, reset))) throw new AppError('dead-link');
  return reset;
};

/** The operations of link tokens, and the request for one, without a session. */
export class LinkTokens {
  readonly #options: LinkTokensOptions;
  /** Separate from sign-in attempts: guessed links must not keep a user from signing in. */
  readonly #attempts: AttemptLimit;

  constructor(options: LinkTokensOptions) {
    this.#options = options;
    this.#attempts = createAttemptLimit('links', options.limits);
  }

  get canMail(): boolean {
    return this.#options.links.canMail;
  }

  /** The e-mail address of the invitation. @throws AppError 'dead-link', 'too-many-attempts' */
  readInvitation(token: string, client: Client): Promise<{ email: string }> {
    return this.#withLink(token, client, async (tokenHash) => {
      const { orm } = await this.#options.open();
      const { email } = await findOpenInvitation(orm, tokenHash, this.#nowMs());
      return { email };
    });
  }

  /** Creates the invited user; returns the e-mail address. @throws AppError 'dead-link', 'email-taken', 'too-many-attempts' */
  join({ token, name, password }: Join, client: Client): Promise<{ email: string }> {
    return this.#withLink(token, client, (tokenHash) =>
      this.#consumeLink(
        password,
        (orm) => findOpenInvitation(orm, tokenHash, this.#nowMs()),
        async (tx, { id: invitationId, email, role, usdots, tags }, passwordHash) => {
          const user = { id: crypto.randomUUID(), name, email, role, usdots, tags };
          const by = { kind: 'user', ...user } as const;
          const { address } = client;
          await deleteInvitation(tx, invitationId);
          await insertUser(tx, { ...user, passwordHash }, this.#nowMs());
          const details = { role, usdots, tags };
          await this.#options.audit.record({ by, action: 'user.join', subject: email, address, details }, tx);
          return { email };
        },
      ),
    );
  }

  /** The e-mail address of the user. @throws AppError 'dead-link', 'too-many-attempts' */
  readReset(token: string, client: Client): Promise<{ email: string }> {
    return this.#withLink(token, client, async (tokenHash) => {
      const { orm } = await this.#options.open();
      const { email } = await findOpenReset(orm, tokenHash, this.#nowMs());
      return { email };
    });
  }

  /** Sets a password, and ends every session of the user. @throws AppError 'dead-link', 'too-many-attempts' */
  async reset({ token, password }: Reset, client: Client): Promise<void> {
    const { audit, forgetUser } = this.#options;
    const id = await this.#withLink(token, client, (tokenHash) =>
      this.#consumeLink(
        password,
        (orm) => findOpenReset(orm, tokenHash, this.#nowMs()),
        async (tx, { userId, email: subject }, passwordHash) => {
          await deletePasswordResetsFor(tx, userId);
          await writePassword(tx, userId, passwordHash, this.#nowMs());
          const { address } = client;
          await audit.record({ by: null, action: 'user.reset-password', subject, address }, tx);
          return userId;
        },
      ),
    );
    forgetUser(id);
  }

  /**
   * Sends a reset link if the address belongs to a user; neither the answer nor its timing shows whether it does.
   * @throws AppError 'no-mail', 'too-many-attempts'
   */
  async requestReset(email: string, { address }: Client): Promise<void> {
    const { audit, onFailed } = this.#options;
    if (!this.canMail) throw new AppError('no-mail');
    await this.#attempts.take({ address, account: email });
    await audit.record({ by: null, action: 'user.ask-for-reset', subject: email, address });
    // Not awaited: its duration would show whether such a user exists.
    this.#mailReset(email).catch(onFailed);
  }

  #nowMs(): number {
    return this.#options.clock.nowMs();
  }

  /** Runs the operation of a link; an invalid link counts as an attempt for its token and for the client's address. */
  async #withLink<T>(token: string, { address }: Client, run: (tokenHash: string) => Promise<T>): Promise<T> {
    const tokenHash = toTokenHash(token);
    const attempt = { address, account: tokenHash };
    await this.#attempts.take(attempt);
    const done = await run(tokenHash);
    await this.#attempts.succeed(attempt);
    return done;
  }

  /** Consumes a link that sets a password; the slow hash is made before the user lock, under which the link is read again. */
  async #consumeLink<Found, Done>(
    password: string,
    find: (orm: Executor) => Promise<Found>,
    run: (tx: Executor, found: Found, passwordHash: string) => Promise<Done>,
  ): Promise<Done> {
    const { orm } = await this.#options.open();
    await find(orm);
    const passwordHash = await this.#options.hash(password);
    return orm.transaction(async (tx) => {
      await lockUsers(tx);
      return run(tx, await find(tx), passwordHash);
    });
  }

  async #mailReset(email: string): Promise<void> {
    const { orm } = await this.#options.open();
    const token = createLinkToken();
    const expiresAtMs = this.#nowMs() + MAILED_RESET_MS;
    const { links } = this.#options;
    const id = crypto.randomUUID();
    const link = await orm.transaction(async (tx) => {
      await lockUsers(tx);
      const user = await readUserByEmail(tx, email);
      if (user === null || user.disabledAtMs !== null) return null;
      const reset = { id, tokenHash: toTokenHash(token), userId: user.id, madeById: null, expiresAtMs };
      await insertPasswordReset(tx, reset, this.#nowMs());
      return links.store(tx, 'reset', { id, token });
    });
    if (link !== null) await links.send({ id, email, link, expiresAtMs });
  }
}
