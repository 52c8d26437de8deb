import 'server-only';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { toRetryMs, type Job, type JobSet, type Jobs } from '@/lib/jobs/jobs';
import { resolveWithin, type Clock } from '@/lib/base/clock';
import { seal, unseal } from '@/lib/base/sealed';
import type { Database, Executor } from '@/lib/database/database';
import { invitations, linkMails, passwordResets } from './tables';
import { users } from '@/lib/database/tables';
import type { LinkMailState, MadeLink } from '@/lib/users/schema';
import { toInvitationMail, toMailProblem, toResetMail, type SendMail } from '@/lib/jobs/mailer';
import { mayStillGrant } from '@/lib/users/server/user-scope';
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** The random token of a link, which cannot be derived from its stored hash. */
export const createLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored hash of a link token: SHA-256. Only passwords need a slow hash. */
export const toTokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

export const NO_MAIL: LinkMailState = { mail: 'none', mailProblem: null };

const PAGES = { invitation: '/join', reset: '/reset' };

/** A link that is stored; its mail is not sent yet. */
interface StoredLink extends Omit<NewLinkMail, 'kind'> {
  email: string;
  expiresAtMs: number;
}

export const createLinkMaker = (options: {
  /** Scheme, host and port of this server in browsers; null: a link is a path. */
  publicUrl: string | null;
  /** Null if no mail server is configured. */
  mails: Pick<LinkMails, 'add' | 'send'> | null;
}) => {
  const { publicUrl, mails } = options;
  return {
    canMail: mails !== null,
    /** Stores a link's mail; the token is in the fragment, so that no log of a server and no Referer contains it. */
    store: async (
      tx: Executor,
      kind: NewLinkMail['kind'],
      { id, token }: { id: string; token: string },
    ): Promise<string> => {
      const link = `${publicUrl ?? ''}${PAGES[kind]}#${token}`;
      await mails?.add(tx, { id, kind, link });
      return link;
    },
    send: async ({ id, ...made }: StoredLink): Promise<MadeLink> => ({
      ...made,
      ...((await mails?.send(id)) ?? NO_MAIL),
    }),
  };
};

export type LinkMaker = ReturnType<typeof createLinkMaker>;

const LINK_MAIL_JOB = 'link-mail';
const SLOTS = 4;
const POLL_MS = 5000;
/** Longer than the attempt of the request that makes a link: after it, a job tries again what that has left. */
const FIRST_JOB_MS = 90_000;
/** As long as a request waits for its attempt, which goes on after it. */
const ATTEMPT_WITHIN_MS = 5000;
const TRIED_MS = 86_400_000;
const PURPOSE = 'linehaul link mail';

const DEAD: LinkMailState = { mail: 'failed', mailProblem: 'The link is no longer valid.' };
const UNREADABLE: LinkMailState = { mail: 'failed', mailProblem: 'AUTH_SECRET has changed.' };
const NO_ANSWER: LinkMailState = { mail: 'retrying', mailProblem: 'The mail server has not answered yet.' };

/** A link whose mail is to be sent; the mail ends with its invitation or password reset. */
export interface NewLinkMail {
  /** The id of the invitation or password reset. */
  id: string;
  kind: 'invitation' | 'reset';
  link: string;
}

export interface LinkMailsOptions {
  jobs: Pick<Jobs, 'insert' | 'finish' | 'again'>;
  open: () => Promise<Pick<Database, 'orm'>>;
  /** Seals the links that wait: the database has no token that opens an account. */
  secret: string;
  sendMail: SendMail;
  clock: Clock;
  log: Record<'warn', (fields: object, message: string) => void>;
}

/** A mail that waits, with its link as it is now. */
const readPending = async (orm: Executor, id: string) => {
  const [row] = await orm
    .select({
      sealed: linkMails.sealed,
      attempts: linkMails.attempts,
      createdMs: linkMails.createdMs,
      isInvitation: sql<boolean>`${linkMails.invitationId} is not null`,
      email: sql<string>`coalesce(${invitations.email}, ${users.email})`,
      expiresAt: sql<Date>`coalesce(${invitations.expiresAt}, ${passwordResets.expiresAt})`.mapWith(
        invitations.expiresAt,
      ),
      grantedById: sql<string | null>`coalesce(${invitations.invitedById}, ${passwordResets.madeById})`,
      userId: passwordResets.userId,
      disabledAt: users.disabledAt,
      invitedUsdots: invitations.usdots,
      usdots: users.usdots,
    })
    .from(linkMails)
    .leftJoin(invitations, eq(invitations.id, linkMails.invitationId))
    .leftJoin(passwordResets, eq(passwordResets.id, linkMails.resetId))
    .leftJoin(users, eq(users.id, passwordResets.userId))
    .where(and(eq(linkMails.id, id), eq(linkMails.state, 'retrying')));
  return row ?? null;
};
type Pending = NonNullable<Awaited<ReturnType<typeof readPending>>>;

const isDead = async (orm: Executor, pending: Pending, nowMs: number): Promise<boolean> => {
  const { expiresAt, grantedById, userId, disabledAt, isInvitation, invitedUsdots, usdots } = pending;
  if (expiresAt.getTime() <= nowMs || disabledAt !== null) return true;
  if (grantedById === null || grantedById === userId) return false;
  return !(await mayStillGrant(orm, grantedById, isInvitation ? invitedUsdots : usdots));
};

/** The mails with one-time links, sealed while they wait; a deferred one is tried for a day or until its link ends. */
export class LinkMails implements JobSet {
  readonly #options: LinkMailsOptions;

  constructor(options: LinkMailsOptions) {
    this.#options = options;
  }

  get kinds(): JobSet['kinds'] {
    const run = async (job: Job): Promise<void> => void (await this.#attempt(job.id));
    return [{ name: LINK_MAIL_JOB, slots: SLOTS, pollMs: POLL_MS, run }];
  }

  /** Makes the jobs of mails that wait, where a process has ended before it could. */
  async resume(tx: Executor): Promise<void> {
    const waiting = await tx
      .select({ id: linkMails.id, attempts: linkMails.attempts })
      .from(linkMails)
      .where(eq(linkMails.state, 'retrying'));
    await this.#options.jobs.insert(tx, LINK_MAIL_JOB, waiting.map(toJob));
  }

  /** Stores the mail of a link in the transaction that makes the link. */
  async add(tx: Executor, { id, kind, link }: NewLinkMail): Promise<void> {
    const { jobs, secret, clock } = this.#options;
    const nowMs = clock.nowMs();
    await tx.insert(linkMails).values({
      ...{ id, sealed: seal(link, secret, PURPOSE), state: 'retrying', attempts: 0 },
      ...{ createdMs: nowMs, updatedMs: nowMs },
      [kind === 'invitation' ? 'invitationId' : 'resetId']: id,
    });
    await jobs.insert(tx, LINK_MAIL_JOB, [toJob({ id, attempts: 0 })]);
  }

  /** Tries at once to send a mail that was added; what became of it within some seconds. Never rejects. */
  async send(id: string): Promise<LinkMailState> {
    const { clock, log } = this.#options;
    let state = NO_ANSWER;
    const attempt = this.#attempt(id).then(
      (next) => void (state = next ?? DEAD),
      (error: unknown) => log.warn({ reason: String(error) }, 'A mail is sent by its job.'),
    );
    await resolveWithin(attempt, ATTEMPT_WITHIN_MS, clock);
    return state;
  }

  /** Sends a mail that waits; null where it waits no more. */
  async #attempt(id: string): Promise<LinkMailState | null> {
    const { open, sendMail, clock, log } = this.#options;
    const { orm } = await open();
    const pending = await readPending(orm, id);
    const nowMs = clock.nowMs();
    if (pending === null) return this.#settle(id, null, null);
    if (await isDead(orm, pending, nowMs)) return this.#settle(id, DEAD, null);
    const link = this.#readLink(pending);
    if (link === null) return this.#settle(id, UNREADABLE, null);
    try {
      const toMail = pending.isInvitation ? toInvitationMail : toResetMail;
      const { email: to, expiresAt } = pending;
      await sendMail({ ...toMail({ to, link, expiresAtMs: expiresAt.getTime() }), messageId: id });
    } catch (error) {
      const { isPermanent, reason } = toMailProblem(error);
      const isLast = isPermanent || nowMs - pending.createdMs >= TRIED_MS;
      log.warn(
        { reason },
        isLast ? 'A mail could not be sent.' : 'A mail could not be sent; it is tried again.',
      );
      const state: LinkMailState = { mail: isLast ? 'failed' : 'retrying', mailProblem: reason };
      return this.#settle(id, state, isLast ? null : toRetryMs(pending.attempts + 1));
    }
    return this.#settle(id, { mail: 'sent', mailProblem: null }, null);
  }

  #readLink({ sealed }: Pending): string | null {
    try {
      return unseal(sealed ?? '', this.#options.secret, PURPOSE);
    } catch (error) {
      this.#options.log.warn(
        { reason: String(error) },
        'The link of a mail was sealed with another AUTH_SECRET.',
      );
      return null;
    }
  }

  /** Notes what became of an attempt, and ends its job or puts it off. */
  async #settle(
    id: string,
    state: LinkMailState | null,
    delayMs: number | null,
  ): Promise<LinkMailState | null> {
    const { open, jobs, clock } = this.#options;
    const { orm } = await open();
    await orm.transaction(async (tx) => {
      if (state !== null)
        await tx
          .update(linkMails)
          .set({
            ...{ state: state.mail, problem: state.mailProblem, updatedMs: clock.nowMs() },
            attempts: sql`${linkMails.attempts} + 1`,
            ...(delayMs === null && { sealed: null }),
          })
          .where(and(eq(linkMails.id, id), eq(linkMails.state, 'retrying')));
      if (delayMs === null) await jobs.finish(tx, LINK_MAIL_JOB, id);
      else await jobs.again(tx, LINK_MAIL_JOB, { id, data: {} }, delayMs);
    });
    return state;
  }
}

/** The job of a mail that has none. */
const toJob = ({ id, attempts }: { id: string; attempts: number }) => ({
  ...{ id, data: {} },
  delayMs: attempts === 0 ? FIRST_JOB_MS : toRetryMs(attempts),
});

/** The states of the mails of open links, by invitation, and by user for the newest password reset. */
export const listLinkMails = async (orm: Executor): Promise<Map<string, LinkMailState>> => {
  const rows = await orm
    .select({
      of: sql<string>`coalesce(${linkMails.invitationId}, ${passwordResets.userId})`,
      mail: linkMails.state,
      mailProblem: linkMails.problem,
    })
    .from(linkMails)
    .leftJoin(passwordResets, eq(passwordResets.id, linkMails.resetId))
    .where(sql`${isNull(passwordResets.id)} or ${passwordResets.expiresAt} > now()`)
    .orderBy(linkMails.createdMs);
  return new Map(rows.map(({ of, ...state }) => [of, state]));
};
