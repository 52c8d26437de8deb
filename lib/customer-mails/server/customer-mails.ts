import 'server-only';
import { and, desc, eq, gt, gte, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { Clock } from '@/lib/base/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { Database, Executor } from '@/lib/database/database';
import { toMailProblem, type Mail, type SendMail } from '@/lib/jobs/mailer';
import { toRetryMs, type Job, type JobSet, type Jobs } from '@/lib/jobs/jobs';
import type { Load } from '@/lib/loads/load';
import { MOST_DAILY_MAILS } from '@/lib/loads/mails';
import { readLoads } from '@/lib/loads/server/loads';
import { freeRangeOf } from '@/lib/arrivals/free-time';
import { customerMails, loadMails, loads } from '@/lib/loads/server/tables';
import { readShares, standingOf, type ShareRow, type Standing } from '@/lib/shares/server/share-rows';
import { shareItems, shares } from '@/lib/shares/server/tables';
import { toSharedWindow } from '@/lib/shares/server/to-view';
import { deriveToken, hashToken } from '@/lib/shares/server/token';
import { toDeparture } from '@/lib/arrivals/interval';
import { toEndPath } from './end-mails';
import { addFreeTimeMails } from './free-time';
import { toCustomerMail, type CustomerMail } from './mail-text';

export const CUSTOMER_MAIL_JOB = 'customer-mail';
const SLOTS = 4;
const POLL_MS = 2000;
/** Free time that ends soon is looked for once in so many polls. */
const FREE_TIME_POLLS = 15;
/** A mail that could not be sent for so long is given up. */
const TRIED_MS = DAY_MS;
/** A mail without a job has lost it. */
const UNTOUCHED_MS = 2 * HOUR_MS;
const MOST_RESUMED = 1000;
/** A fleet that has sent as many as it may is looked at again after this time at the earliest, so that a long queue is not looked at all the time. */
const HELD_MS = 10 * MINUTE_MS;
const HELD_PROBLEM = `The fleet has sent ${MOST_DAILY_MAILS} mails within 24 hours.`;
const KEPT_MS = 400 * DAY_MS;

interface CustomerMailsOptions {
  jobs: Pick<Jobs, 'insert' | 'finish' | 'again'>;
  database: () => Database;
  secret: string;
  sendMail: SendMail;
  publicUrl: string;
  /** Null: it is not known. */
  readCarrierName: (usdot: string) => Promise<string | null>;
  clock: Pick<Clock, 'nowMs'>;
  log: Record<'warn', (fields: object, message: string) => void>;
  /** Until when the mails of a fleet are held, by its USDOT number, Unix ms: written here, for the status of the server. */
  held: Map<string, number>;
  /** For tests. */
  pollMs?: number;
  mostDaily?: number;
}

/** A mail that waits, with what is chosen for its load now. */
const readPending = async (orm: Executor, id: string) => {
  const [row] = await orm
    .select({
      mail: customerMails,
      usdot: loads.usdot,
      endedBy: loads.endedBy,
      chosen: { addresses: loadMails.addresses, about: loadMails.about, language: loadMails.language },
    })
    .from(customerMails)
    .innerJoin(loads, eq(loads.id, customerMails.loadId))
    .innerJoin(loadMails, eq(loadMails.loadId, customerMails.loadId))
    .where(and(eq(customerMails.id, id), eq(customerMails.state, 'pending')));
  return row ?? null;
};
type Pending = NonNullable<Awaited<ReturnType<typeof readPending>>>;

/** Whether a mail is wanted still: its load was not ended by hand, and its reader has not ended the mails. */
const isWanted = ({ mail, endedBy, chosen }: Pending): boolean =>
  endedBy === null &&
  chosen.about.includes(mail.about) &&
  chosen.addresses.some(
    ({ address, endedMs, isListed = true }) => address === mail.address && endedMs === null && isListed,
  );

interface LoadLink {
  share: ShareRow;
  /** Null: it has ended, shows other loads too, or its address cannot be derived any more. */
  token: string | null;
}

/** What happens to a load, and ends links about it in the transaction that stores a mail about it. */
const ENDED_WITH_LOAD: readonly Standing['endedBy'][] = ['arrival', 'departure', 'delivery'];

/** The links about a load that are open, or have ended with what happened to it since a time, the newest first. */
const readLinks = async (
  { pool, orm }: Database,
  loadId: number,
  { secret, sinceMs, nowMs }: { secret: string; sinceMs: number; nowMs: number },
): Promise<LoadLink[]> => {
  const rows = await orm
    .select({ id: shares.id, usdot: shares.usdot, nonce: shares.nonce, tokenHash: shares.tokenHash })
    .from(shares)
    .innerJoin(shareItems, eq(shareItems.shareId, shares.id))
    .where(
      and(
        eq(shareItems.loadId, loadId),
        isNull(shares.revokedMs),
        or(isNull(shareItems.endedMs), gte(shareItems.endedMs, sinceMs)),
      ),
    )
    .orderBy(sql`${shares.madeMs} desc`);
  const links: LoadLink[] = [];
  for (const { id, usdot, nonce, tokenHash } of rows) {
    const [share] = await readShares(pool, usdot, id);
    if (!share) continue;
    const { state, endedBy } = standingOf(share, nowMs);
    const isOpen = state === 'open';
    if (!isOpen && !ENDED_WITH_LOAD.includes(endedBy)) continue;
    const token = deriveToken(secret, { id, nonce });
    const isOwn = isOpen && share.items.length === 1 && hashToken(token) === tokenHash;
    links.push({ share, token: isOwn ? token : null });
  }
  return links;
};

/** The place in the load of the stop that a mail is about; -1: it is a stop of the load no more. */
const findStop = ({ stops }: Load, { siteId, nth }: Pending['mail']): number =>
  stops.flatMap((stop, position) => (stop.siteId === siteId ? position : []))[nth] ?? -1;

/** What a mail is about as it is known now; null: that has been found to be otherwise. */
const toFacts = (
  load: Load,
  { mail }: Pending,
  nowMs: number,
): (Pick<CustomerMail, 'stop' | 'left' | 'window' | 'freeEndsMs'> & { arrivedMs: number | null }) | null => {
  const position = findStop(load, mail);
  const stop = load.stops[position];
  const visit = load.judged[position]?.visit ?? null;
  if (!stop) return null;
  if (mail.about === 'freeTime') {
    const freeEndsMs = visit?.leftMs === null ? (freeRangeOf(stop, visit)?.toMs ?? null) : null;
    // One that comes after its end is of no use, and would be evidence of nothing.
    if (freeEndsMs === null || freeEndsMs <= nowMs) return null;
    const arrived = { afterMs: visit!.arrivedAfterMs ?? visit!.arrivedMs, byMs: visit!.arrivedMs };
    return { stop, arrivedMs: visit!.arrivedMs, left: arrived, window: null, freeEndsMs };
  }
  if (mail.about !== 'late') {
    const left = visit && toDeparture(visit);
    return left && { stop, arrivedMs: visit.arrivedMs, left, window: null, freeEndsMs: null };
  }
  const { window, next } = load;
  const isLate =
    next === position &&
    visit === null &&
    window !== null &&
    window.fromMs > (stop.appointment?.toMs ?? Infinity);
  return isLate
    ? { stop, arrivedMs: null, left: null, window: toSharedWindow(window), freeEndsMs: null }
    : null;
};

/** What a mail says: no more than each link about its load shows or showed until then, and no sooner. Null: it is not sent. */
const toSaid = async (
  options: CustomerMailsOptions,
  pending: Pending,
): Promise<{ mail: Omit<Mail, 'messageId'>; dueMs: number } | null> => {
  const { database, secret, publicUrl, readCarrierName, clock } = options;
  const { usdot, mail } = pending;
  const { loadId, address, createdMs } = mail;
  const nowMs = clock.nowMs();
  const opened = database();
  const [load] = await readLoads(opened.pool, usdot, { endedAfterMs: 0, ids: [loadId], nowMs });
  const facts = load && toFacts(load, pending, nowMs);
  if (!facts) return null;
  const links = await readLinks(opened, loadId, { secret, sinceMs: facts.arrivedMs ?? nowMs, nowMs });
  const shows = (field: 'stops' | 'window'): boolean =>
    links.every(({ share }) => share.fields.includes(field));
  const isExact = links.every(({ share }) => share.precision === 'exact');
  const token = links.find((link) => link.token !== null)?.token ?? null;
  return {
    dueMs: createdMs + Math.max(0, ...links.map(({ share }) => share.delayMin)) * MINUTE_MS,
    mail: toCustomerMail({
      ...{ about: mail.about, to: address, language: pending.chosen.language },
      carrier: (await readCarrierName(usdot)) ?? `USDOT ${usdot}`,
      load: [load.reference, load.po, load.bol].filter((text) => text !== '').join(' · '),
      stop: facts.stop,
      left: shows('stops') ? facts.left : null,
      window: shows('window') && isExact ? facts.window : null,
      freeEndsMs: facts.freeEndsMs,
      link: token === null ? null : `${publicUrl}/t/${token}`,
      endsAt: `${publicUrl}${toEndPath(secret, loadId, address)}`,
    }),
  };
};

/** When a fleet may send the next mail, Unix ms; null: now. */
const readHeldUntil = async (
  orm: Executor,
  usdot: string,
  { nowMs, most }: { nowMs: number; most: number },
): Promise<number | null> => {
  const [row] = await orm
    .select({ sentMs: customerMails.updatedMs })
    .from(customerMails)
    .innerJoin(loads, eq(loads.id, customerMails.loadId))
    .where(
      and(
        eq(loads.usdot, usdot),
        eq(customerMails.state, 'sent'),
        gt(customerMails.updatedMs, nowMs - DAY_MS),
      ),
    )
    .orderBy(desc(customerMails.updatedMs))
    .limit(1)
    .offset(most - 1);
  return row ? row.sentMs + DAY_MS : null;
};

/** Mails to customers: each is sent at least once under one id, and a mail server's refusal is tried again for a day. */
class CustomerMails implements JobSet {
  readonly #options: CustomerMailsOptions;

  constructor(options: CustomerMailsOptions) {
    this.#options = options;
  }

  get kinds(): JobSet['kinds'] {
    const { pollMs = POLL_MS } = this.#options;
    const upkeep = { name: 'customer-mail-upkeep', isUpkeep: true, slots: 1, pollMs: 60 * pollMs } as const;
    return [
      { name: CUSTOMER_MAIL_JOB, slots: SLOTS, pollMs, run: (job) => this.#send(job) },
      { ...upkeep, run: () => this.#upkeep() },
      { ...upkeep, name: 'free-time-mails', run: () => this.#addFreeTime() },
    ];
  }

  /** Makes the jobs of mails that wait, where a process has ended before it could. */
  resume(tx: Executor): Promise<void> {
    return this.#makeJobs(tx, this.#options.clock.nowMs());
  }

  async #send(job: Job): Promise<void> {
    const { jobs, database, sendMail, clock, log } = this.#options;
    const pending = await readPending(database().orm, job.id);
    if (pending === null) return jobs.finish(database().orm, CUSTOMER_MAIL_JOB, job.id);
    const nowMs = clock.nowMs();
    const said = isWanted(pending) ? await toSaid(this.#options, pending) : null;
    if (said === null) return this.#settle(job, 'dropped');
    if (said.dueMs > nowMs) return this.#settle(job, 'pending', { delayMs: said.dueMs - nowMs });
    const delayMs = await this.#readHeldMs(pending.usdot, nowMs);
    if (delayMs > 0)
      return nowMs - said.dueMs < TRIED_MS
        ? this.#settle(job, 'pending', { delayMs })
        : this.#giveUp(job, pending.usdot, HELD_PROBLEM);
    try {
      await sendMail({ ...said.mail, messageId: job.id });
    } catch (error) {
      const { isPermanent, reason: problem } = toMailProblem(error);
      if (isPermanent || nowMs - said.dueMs >= TRIED_MS) return this.#giveUp(job, pending.usdot, problem);
      log.warn({ usdot: pending.usdot, reason: problem }, 'A mail to a customer could not be sent yet.');
      return this.#settle(job, 'pending', { problem, delayMs: toRetryMs(pending.mail.attempts + 1) });
    }
    return this.#settle(job, 'sent');
  }

  /** How long mails of a fleet are held, ms; 0: it has sent fewer than it may. */
  async #readHeldMs(usdot: string, nowMs: number): Promise<number> {
    const { database, held, log, mostDaily: most = MOST_DAILY_MAILS } = this.#options;
    const untilMs = await readHeldUntil(database().orm, usdot, { nowMs, most });
    if (untilMs === null) {
      held.delete(usdot);
      return 0;
    }
    const delayMs = Math.max(untilMs - nowMs, HELD_MS);
    if (!held.has(usdot))
      log.warn(
        { usdot, most, until: new Date(nowMs + delayMs).toISOString() },
        'A fleet has sent as many mails to customers as it may within 24 hours: the others wait.',
      );
    held.set(usdot, nowMs + delayMs);
    return delayMs;
  }

  /** Without its address, which is a customer's. */
  #giveUp(job: Job, usdot: string, problem: string): Promise<void> {
    this.#options.log.warn({ usdot, reason: problem }, 'A mail to a customer was given up.');
    return this.#settle(job, 'failed', { problem });
  }

  /** Notes what became of a mail, and ends its job or puts it off. */
  #settle(
    job: Job,
    state: 'pending' | 'sent' | 'failed' | 'dropped',
    { problem = null, delayMs = null }: { problem?: string | null; delayMs?: number | null } = {},
  ): Promise<void> {
    const { jobs, database, clock } = this.#options;
    const isAttempt = problem !== null || state === 'sent';
    return database().orm.transaction(async (tx) => {
      await tx
        .update(customerMails)
        .set({
          ...{ state, problem, updatedMs: clock.nowMs() },
          ...(isAttempt && { attempts: sql`${customerMails.attempts} + 1` }),
        })
        .where(and(eq(customerMails.id, job.id), eq(customerMails.state, 'pending')));
      if (delayMs === null) await jobs.finish(tx, CUSTOMER_MAIL_JOB, job.id);
      else await jobs.again(tx, CUSTOMER_MAIL_JOB, job, delayMs);
    });
  }

  /** Makes jobs of mails that have none; one that is there stays as it is. */
  async #makeJobs(tx: Executor, untouchedMs: number): Promise<void> {
    const waiting = await tx
      .select({ id: customerMails.id })
      .from(customerMails)
      .where(and(eq(customerMails.state, 'pending'), lte(customerMails.updatedMs, untouchedMs)))
      .limit(MOST_RESUMED);
    await this.#options.jobs.insert(
      tx,
      CUSTOMER_MAIL_JOB,
      waiting.map(({ id }) => ({ id, data: {} })),
    );
  }

  async #addFreeTime(): Promise<number> {
    const { database, clock, jobs, pollMs = POLL_MS } = this.#options;
    const { orm, pool } = database();
    await orm.transaction(async (tx) => {
      const ids = await addFreeTimeMails(tx, pool, clock.nowMs());
      if (ids.length > 0)
        await jobs.insert(
          tx,
          CUSTOMER_MAIL_JOB,
          ids.map((id) => ({ id, data: {} })),
        );
    });
    return FREE_TIME_POLLS * pollMs;
  }

  async #upkeep(): Promise<number> {
    const { database, clock } = this.#options;
    const { orm } = database();
    const nowMs = clock.nowMs();
    await this.#makeJobs(orm, nowMs - UNTOUCHED_MS);
    const isOld = and(ne(customerMails.state, 'pending'), lt(customerMails.updatedMs, nowMs - KEPT_MS));
    await orm.delete(customerMails).where(isOld);
    return HOUR_MS;
  }
}

export const createCustomerMails = (options: CustomerMailsOptions): JobSet => new CustomerMails(options);
