import 'server-only';
import { LRUCache } from 'lru-cache';
import { roomFor } from '@/lib/base/process/cache-room';
import type { Clock } from '@/lib/base/clock';
import { createBatcher } from '@/lib/database/batcher';
import type { Executor } from '@/lib/database/database';
import { isDataRefused } from '@/lib/database/failure';
import type { DeliveryChannel } from '../../schema';
import { toJobId, toRetryMs, type Job, type JobKind, type JobSet, type Jobs } from '@/lib/jobs/jobs';
import { BUNDLE_JOB, DELIVERY_JOB, DIGEST_JOB, insertDeliveryJobs } from '../outbox';
import { UndeliverableError, type Delivery, type SendDeliveries } from './delivery';
import {
  pruneAlerts,
  readPending,
  readPendingOf,
  sweepPending,
  writeOutcomes,
  type DeliveryOutcome,
  type AttemptOutcome,
} from './delivery-repository';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@/lib/base/time';

/** Sending at once in one process, so that slow receivers do not hold up the others. */
const DELIVERY_SLOTS = 64;
const BUNDLE_SLOTS = 4;
const POLL_MS = 500;
/** After an attempt that failed, the other messages to its target wait for so long: one of them may be at fault alone. */
const PAUSE_MS = 60 * SECOND_MS;
/** Longer than an attempt takes. */
const PROBE_MS = 15 * SECOND_MS;
/** A pending delivery is touched at least once an hour while it has a job. */
const UNTOUCHED_MS = 2 * HOUR_MS;
/** So long a message is tried. */
const TRIED_MS = DAY_MS;
const TOO_OLD_MS = 2 * DAY_MS;
const KEPT_DELIVERIES_MS = 30 * DAY_MS;
const MAX_TARGETS = 10_000;

export const UPKEEP_JOB = 'alert-upkeep';
const UPKEEP: Job = { id: toJobId(UPKEEP_JOB), data: {} };

/** The older a waiting message is, the longer it waits, so that thousands of them cost little. */
const toPutOffMs = (waitMs: number, ageMs: number): number => Math.max(waitMs, Math.min(HOUR_MS, ageMs));

const GIVEN_UP: AttemptOutcome = {
  state: 'failed',
  error: 'Nothing could be sent there for a day.',
  isAttempt: true,
};

/** How long a digest waits, ms; 0: it may be sent now. */
export type ToQuietMs = (target: string, deliveries: readonly Delivery[]) => Promise<number>;

interface DeliveriesOptions {
  jobs: Jobs;
  orm: () => Executor;
  channels: Readonly<Record<DeliveryChannel, SendDeliveries>>;
  toQuietMs: ToQuietMs;
  /** How long alerts are kept. */
  keptMs: number;
  clock: Clock;
  pollMs?: number;
}

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A job with what became of its deliveries; `delayMs` null: it is done. */
interface Settled extends DeliveryOutcome {
  name: string;
  job: Job;
  delayMs: number | null;
}

/** Sends what the outbox holds: at least once, each message under one id. */
export class AlertDeliveries implements JobSet {
  readonly #options: DeliveriesOptions;
  /** Targets whose last attempt failed, with when the next may begin: other messages wait, and take no slot. */
  readonly #failing = new LRUCache<string, number>(roomFor(MAX_TARGETS));

  /** Jobs that are fetched together are read in one statement, and those that end together are settled in one transaction. */
  readonly #read = createBatcher<string, Delivery[]>({
    maxWeight: DELIVERY_SLOTS,
    run: async (ids) => {
      const pending = await readPending(this.#options.orm(), ids);
      return ids.map((id) => pending.filter((delivery) => delivery.id === id));
    },
  });
  readonly #settle = createBatcher<Settled, void>({
    maxWeight: DELIVERY_SLOTS,
    isItemFault: isDataRefused,
    run: async (settled) => {
      await this.#options.orm().transaction((tx) => this.#write(tx, settled));
      return settled.map(() => undefined);
    },
  });

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  get kinds(): JobKind[] {
    const { pollMs = POLL_MS } = this.#options;
    return [
      {
        name: DELIVERY_JOB,
        slots: DELIVERY_SLOTS,
        pollMs,
        run: async (job, signal) => this.#deliver(DELIVERY_JOB, job, await this.#read(job.id), signal),
      },
      {
        name: BUNDLE_JOB,
        slots: BUNDLE_SLOTS,
        pollMs,
        run: async (job, signal) => this.#deliver(BUNDLE_JOB, job, await this.#readBundle(job), signal),
      },
      {
        name: DIGEST_JOB,
        hasKeys: true,
        slots: BUNDLE_SLOTS,
        pollMs: 20 * pollMs,
        run: async ({ id, data }, signal) => {
          const target = String(data.target);
          const deliveries = await readPendingOf(this.#options.orm(), 'email', target);
          await this.#deliver(DIGEST_JOB, { id, data, key: target }, deliveries, signal);
        },
      },
      { name: UPKEEP_JOB, slots: 1, pollMs: 60 * pollMs, run: (job) => this.#upkeep(job) },
    ];
  }

  /** Makes the job that looks after the others, if there is none. */
  async startUpkeep(tx: Executor): Promise<void> {
    await this.#options.jobs.insert(tx, UPKEEP_JOB, [UPKEEP]);
  }

  #readBundle({ data }: Job): Promise<Delivery[]> {
    // A digest of an older version has none: the upkeep finds what it was to send.
    return readPending(this.#options.orm(), (data.ids as string[] | null) ?? []);
  }

  async #deliver(name: string, job: Job, deliveries: Delivery[], signal: AbortSignal): Promise<void> {
    const { jobs, orm, channels, clock } = this.#options;
    const [first] = deliveries;
    if (first === undefined) return jobs.finish(orm(), name, job.id);
    const { channel, target } = first;
    const ids = deliveries.map(({ id }) => id);
    const settle = (outcome: AttemptOutcome, delayMs: number | null): Promise<void> =>
      this.#settle({ name, job, ids, outcome, delayMs });
    const putOff = (delayMs: number): Promise<void> =>
      settle({ state: 'pending', error: null, isAttempt: false }, delayMs);
    const ageMs = clock.nowMs() - Math.min(...deliveries.map(({ createdMs }) => createdMs));
    const waitMs = this.#reserve(target);
    if (waitMs > 0) return ageMs >= TRIED_MS ? settle(GIVEN_UP, null) : putOff(toPutOffMs(waitMs, ageMs));
    const quietMs = name === DIGEST_JOB ? await this.#options.toQuietMs(target, deliveries) : 0;
    if (quietMs > 0) return putOff(quietMs);
    try {
      await channels[channel](deliveries, signal);
    } catch (error) {
      if (signal.aborted) return putOff(0);
      const isLast = error instanceof UndeliverableError || ageMs >= TRIED_MS;
      const retryMs = toRetryMs(1 + Math.max(...deliveries.map(({ attempts }) => attempts)));
      if (!(error instanceof UndeliverableError))
        this.#failing.set(target, clock.monotonicMs() + Math.min(retryMs, PAUSE_MS));
      const outcome = { error: toMessage(error), isAttempt: true };
      return isLast
        ? settle({ ...outcome, state: 'failed' }, null)
        : settle({ ...outcome, state: 'pending' }, retryMs);
    }
    this.#failing.delete(target);
    await settle({ state: 'sent', error: null, isAttempt: true }, null);
  }

  async #write(tx: Executor, settled: readonly Settled[]): Promise<void> {
    const { jobs, clock } = this.#options;
    await writeOutcomes(tx, settled, clock.nowMs());
    for (const name of new Set(settled.map((each) => each.name))) {
      const ofName = settled.filter((each) => each.name === name);
      const ids = ofName.map(({ job }) => job.id);
      await jobs.finish(tx, name, ...ids);
      const again = ofName.flatMap(({ job, delayMs }) => (delayMs === null ? [] : [{ ...job, delayMs }]));
      await jobs.insert(tx, name, again);
    }
  }

  /** How long a message to a target has to wait; where that is 0, the others wait for its attempt if the last one failed. */
  #reserve(target: string): number {
    const nowMs = this.#options.clock.monotonicMs();
    const untilMs = this.#failing.get(target);
    if (untilMs === undefined) return 0;
    if (untilMs <= nowMs) this.#failing.set(target, nowMs + PROBE_MS);
    return Math.max(0, untilMs - nowMs);
  }

  async #upkeep(job: Job): Promise<void> {
    const { jobs, orm, clock, keptMs } = this.#options;
    const nowMs = clock.nowMs();
    const ages = { deliveriesBeforeMs: nowMs - KEPT_DELIVERIES_MS, alertsBeforeMs: nowMs - keptMs };
    const hasMore = await pruneAlerts(orm(), ages);
    await orm().transaction(async (tx) => {
      const lost = await sweepPending(tx, {
        untouchedMs: nowMs - UNTOUCHED_MS,
        tooOldMs: nowMs - TOO_OLD_MS,
        nowMs,
      });
      await insertDeliveryJobs(tx, jobs, lost, nowMs);
      await jobs.again(tx, UPKEEP_JOB, job, hasMore ? 0 : HOUR_MS);
    });
  }
}
