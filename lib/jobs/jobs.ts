import 'server-only';
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type PgBoss from 'pg-boss';
import { repeat, resolveWithin, type Clock } from '@/lib/base/clock';
import type { Database, Executor } from '@/lib/database/database';
import { toRootCause } from '@/lib/database/failure';
import { toBackoffMs, HOUR_MS } from '@/lib/base/time';

/** A name of our own: another application on the same PostgreSQL may use pg-boss too, in another version. */
const SCHEMA = 'linehaul_jobs';
/** A job is run again if its process has not settled it by then. */
const EXPIRE_IN_S = 45;
const MAINTAIN_EVERY_S = 30;
/** A process may end as often as this while it runs one job. */
const RETRY_LIMIT = 1_000_000;
const RETRY_DELAY_S = 5;
const REOPEN_MS = 5000;
const CLOSE_WITHIN_MS = 1500;
const NOT_MAINTAINED = 'The jobs cannot be looked after now.';
/** Jobs beyond these are made later by the upkeep of their feature. */
const MAX_HELD = 10_000;

/** Every time is PostgreSQL's: one in the future shows that its clock was set back, and waits as long as it was to wait. */
const FOLLOW_CLOCK = `
  with version as (
    update ${SCHEMA}.version set maintained_on = now() where maintained_on > now())
  update ${SCHEMA}.job
  set created_on = least(created_on, now()), started_on = least(started_on, now()),
    start_after = least(start_after, now() + case state
      when 'retry' then retry_delay * interval '1 s' else start_after - created_on end)
  where state < 'completed' and (created_on > now() or started_on > now())`;

/** A job by its id, a UUID: of two with one id, one is kept. */
export interface Job {
  id: string;
  /** One job with this key waits at a time, in a kind with keys. */
  key?: string;
  /** Ids, never secrets. */
  data: Record<string, unknown>;
}

/** Work of one kind in its queue: each job runs at least once in the installation, and again after a failure or a crash. */
export interface JobKind {
  name: string;
  hasKeys?: true;
  /** Jobs that one process runs at once. */
  slots: number;
  /** How often an idle process looks for jobs. */
  pollMs: number;
  /** There always is one job of the kind, which is made at the start. Absent: jobs are made with the changes that need them. */
  isUpkeep?: true;
  /** Runs a job and settles it, or returns in how many ms it runs again; the signal ends with the process. */
  run: (job: Job, signal: AbortSignal) => Promise<number | void>;
}

export interface JobSet {
  kinds: readonly JobKind[];
  /** Makes jobs that are missing, before the first one is run. */
  resume?: (tx: Executor) => Promise<void>;
}

interface JobsOptions {
  /** The migrated database, in a pool of its own. @throws while it is away */
  open: () => Promise<Database>;
  /** Called with the database before the first job, again and again until it succeeds. */
  onOpened: (database: Database) => Promise<void>;
  clock: Clock;
  log: Record<'warn', (fields: object, message: string) => void>;
  /** How often jobs of ended processes are recovered. */
  maintainEveryS?: number;
}

/** The id of a job that there may be once: the same for the same text. */
export const toJobId = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
};

const FIRST_RETRY_MS = 10_000;
const MOST_RETRY_MS = HOUR_MS;

/** The pause after an attempt to send something that failed, by the number of attempts so far. */
export const toRetryMs = (attempts: number): number => toBackoffMs(attempts, FIRST_RETRY_MS, MOST_RETRY_MS);

const toDb = (pool: Pool): PgBoss.Db => ({
  executeSql: async (text, values) => {
    const client = await pool.connect();
    try {
      const result = await client.query(text, values);
      client.release();
      return result;
    } catch (error) {
      // pg-boss sends BEGIN … COMMIT as one text: a failure within leaves the connection in a failed transaction.
      client.release(true);
      throw error;
    }
  },
});

/** A transaction of ours for statements of pg-boss, whose parameters are written as $1, $2. */
const inTransactionOf = (tx: Executor): PgBoss.ConnectionOptions => ({
  db: {
    executeSql: async (text, values) => {
      const chunks = text
        .split(/\$(\d+)/)
        .map((part, i) => (i % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`));
      return tx.execute(sql.join(chunks));
    },
  },
});

/** Without the parameters of a query. */
const toReason = (error: unknown): string => String(toRootCause(error));

/** Seconds, as an interval of PostgreSQL. */
const toStartAfter = (delayMs: number): string => String(Math.max(0, delayMs) / 1000);

/** Jobs in PostgreSQL by pg-boss, each run by one process; made, finished or put off in the transaction of their change. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #ending = new AbortController();
  #database: Database | null = null;
  #boss: PgBoss | null = null;
  readonly #sets: JobSet[] = [];
  /** Jobs that were made before the queues were there. */
  #held: PgBoss.JobInsert[] = [];
  #loops: Promise<void>[] = [];
  #stopFollowing: (() => Promise<void>) | null = null;
  #opening: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(options: JobsOptions) {
    this.#options = options;
    // Each kind of job listens, which are more than Node.js takes for a leak.
    setMaxListeners(0, this.#ending.signal);
  }

  /** Adds work that this process does from its start on. */
  add(...sets: readonly JobSet[]): void {
    this.#sets.push(...sets);
  }

  /** Begins to run jobs once the database answers. Never rejects, and nothing waits for it. */
  start(): void {
    if (this.#ending.signal.aborted) return;
    this.#opening = this.#open().catch((error: unknown) => {
      const { log, clock } = this.#options;
      if (!this.#hasFailed) log.warn({ reason: toReason(error) }, 'Jobs cannot be run now.');
      this.#hasFailed = true;
      clock.setTimer(() => this.start(), REOPEN_MS);
    });
  }

  /** Makes jobs that start after a while, in a transaction. One whose id or key is known stays as it is. */
  async insert(tx: Executor, name: string, jobs: readonly (Job & { delayMs?: number })[]): Promise<void> {
    if (jobs.length === 0) return;
    const rows = jobs.map(({ id, key, data, delayMs = 0 }) => ({
      id,
      name,
      data,
      ...(key !== undefined && { singletonKey: key }),
      startAfter: toStartAfter(delayMs),
    }));
    if (this.#boss === null) this.#held.push(...rows.slice(0, MAX_HELD - this.#held.length));
    else await this.#boss.insert(rows, inTransactionOf(tx));
  }

  async finish(tx: Executor, name: string, ...ids: string[]): Promise<void> {
    this.#held = this.#held.filter((job) => job.name !== name || !ids.includes(job.id ?? ''));
    await this.#boss?.deleteJob(name, ids, inTransactionOf(tx));
  }

  async again(tx: Executor, name: string, job: Job, delayMs: number): Promise<void> {
    await this.finish(tx, name, job.id);
    await this.insert(tx, name, [{ ...job, delayMs }]);
  }

  /** Ends the jobs that run; what they have not settled is run again. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#opening;
    void this.#stopFollowing?.();
    await resolveWithin(Promise.all(this.#loops), CLOSE_WITHIN_MS, this.#options.clock);
    await this.#boss?.stop({ graceful: false });
    await this.#database?.pool.end();
  }

  async #open(): Promise<void> {
    const { open, onOpened, clock, maintainEveryS = MAINTAIN_EVERY_S } = this.#options;
    this.#database ??= await open();
    const { pool, orm } = this.#database;
    const boss = await this.#startBoss(pool);
    const kinds = this.#sets.flatMap((set) => set.kinds);
    try {
      for (const { name, hasKeys } of kinds)
        await boss.createQueue(name, {
          name,
          policy: hasKeys ? 'short' : 'standard',
          retryLimit: RETRY_LIMIT,
          retryDelay: RETRY_DELAY_S,
          expireInSeconds: EXPIRE_IN_S,
        });
      this.#boss = boss;
      await onOpened(this.#database);
      for (const { name, isUpkeep } of kinds)
        if (isUpkeep) await this.insert(orm, name, [{ id: toJobId(name), data: {} }]);
      for (const set of this.#sets) await set.resume?.(orm);
      if (this.#held.length > 0) await boss.insert(this.#held);
      this.#held = [];
    } catch (error) {
      this.#boss = null;
      await boss.stop({ graceful: false });
      throw error;
    }
    this.#loops = kinds.map((kind) => this.#work(boss, kind));
    this.#stopFollowing = repeat(clock, maintainEveryS * 1000, () => this.#followClock(pool));
  }

  async #startBoss(pool: Pool): Promise<PgBoss> {
    // Loaded after the start of the map.
    const { default: Boss } = await import('pg-boss');
    const boss = new Boss({
      db: toDb(pool),
      schema: SCHEMA,
      schedule: false,
      maintenanceIntervalSeconds: this.#options.maintainEveryS ?? MAINTAIN_EVERY_S,
    });
    boss.on('error', (error) => this.#options.log.warn({ reason: error.message }, NOT_MAINTAINED));
    return boss.start();
  }

  async #followClock(pool: Pool): Promise<void> {
    const { log } = this.#options;
    await pool
      .query(FOLLOW_CLOCK)
      .catch((error: unknown) => log.warn({ reason: toReason(error) }, NOT_MAINTAINED));
  }

  /*
   * Not `boss.work`: it runs one batch after the other, so that one slow receiver would hold up all, and its failure to
   * complete a job while the database is away is a rejection without a handler, which ends the process.
   */
  async #work(boss: PgBoss, kind: JobKind): Promise<void> {
    const running = new Set<Promise<void>>();
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const free = kind.slots - running.size;
      // Resolves to no jobs while the database is away.
      const jobs = await boss.fetch<Job['data']>(kind.name, { batchSize: free });
      for (const { id, data } of jobs) {
        const run = this.#run(boss, kind, { id, data }).finally(() => running.delete(run));
        running.add(run);
      }
      if (jobs.length < free) await this.#idle(kind.pollMs);
      else await this.#untilFree(kind, running);
    }
    await Promise.all(running);
  }

  /** Waits for half of the slots, so that one statement fetches many jobs; after a while any slot will do. */
  async #untilFree({ slots, pollMs }: JobKind, running: ReadonlySet<Promise<void>>): Promise<void> {
    let isLong = false;
    let cancel = (): void => undefined;
    const waited = new Promise<void>((resolve) => {
      cancel = this.#options.clock.setTimer(() => resolve(void (isLong = true)), pollMs);
    });
    while (running.size === slots || (running.size > slots / 2 && !isLong))
      await Promise.race(isLong ? running : [...running, waited]);
    cancel();
  }

  async #run(boss: PgBoss, kind: JobKind, job: Job): Promise<void> {
    try {
      const delayMs = await kind.run(job, this.#ending.signal);
      if (typeof delayMs === 'number')
        await this.#database!.orm.transaction((tx) => this.again(tx, kind.name, job, delayMs));
    } catch (error) {
      const { log } = this.#options;
      log.warn({ job: kind.name, reason: toReason(error) }, 'A job failed; it is run again.');
      await boss
        .fail(kind.name, job.id)
        .catch((cause: unknown) =>
          log.warn({ job: kind.name, reason: toReason(cause) }, 'A job is run again once it expires.'),
        );
    }
  }

  /** Waits, no longer than this process works. */
  async #idle(ms: number): Promise<void> {
    const { signal } = this.#ending;
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
