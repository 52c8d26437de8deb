import 'server-only';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import type { Encoding } from '@/lib/base/http/negotiation';
import type { PollChanges } from '@/lib/fleet/poll-changes';
import type { Watched } from '@/lib/rules/fleet-watch';
import type { Feed, MovableFeeds } from '../feeds';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import type { FeedStart, FeedReport, StartParts } from '../feed/feed';
import type { PollReport } from '@/lib/fleet/poll-report';
import type { FeedAnswer } from '@/lib/wire/server/publisher';
import { UNREAD_FEED, type FeedProblem, type UnitIdentity } from '@/lib/wire/fleet';
import type { FlagSettings } from '@/lib/motion/settings';
import type { VinCarrier } from '@/lib/wire/unit';
import { toThreadCode } from '@/lib/base/process/thread';
import type { Fetch } from '@/lib/base/http/public-fetch';
import {
  forwardRequest,
  PendingMessages,
  fromPlainError,
  type FromThread,
  type ThreadCalls,
  type ThreadConfig,
  type ToThread,
} from './messages';
import type { ThreadHealth } from './health';
import { getOrMake } from '@/lib/base/maps';

/** The main thread's copy of the newest state of a fleet. */
interface HeldFleet extends Omit<FeedReport, 'refusedForMs'> {
  version: string | null;
  /** Answers of this version, by question. */
  answers: Map<string, Promise<FeedAnswer>>;
  /** The encodings that were requested since this version came. */
  clients: Set<Encoding>;
  /** When the thread last got a request: it rests without requests. */
  requestedAtMs: number;
  /** The version that takes this one's place once its likely answers are ready. */
  comingVersion: string | null;
  /**
   * Monotonic ms: until then the thread answers with the provider's refusal, and does not request the fleet.
   */
  refusedUntilMs: number;
}

export interface ThreadedFeedsOptions {
  config: ThreadConfig;
  fetch: Fetch;
  clock: Clock;
  /** Reads the start of a fleet's feed. Must not reject. */
  readStart?: (usdot: string, parts: StartParts) => Promise<FeedStart>;
  onProblem: (usdot: string, problem: FeedProblem, error: unknown) => void;
  /** Called with the report of each poll, the health of the thread, what the poll changed and what it showed of sites. */
  onPolled?: (
    report: PollReport,
    health: ThreadHealth,
    changes: PollChanges | null,
    watched: Watched | null,
  ) => void;
  /** Called with each version of a fleet, once its likely answers are ready. */
  onPublished?: (usdot: string, version: string) => void;
  /** The thread ended by itself; another one starts when it is next needed. */
  onLost: (error: Error) => void;
}

const THREAD = toThreadCode(`import './lib/feeds/worker/thread.ts';`);

/** Shorter than a feed polls without requests, so that a watched fleet never rests. */
const KEEP_AWAKE_MS = 10_000;
/** More questions about one version than real browsers have: those beyond are answered, not cached. */
const MAX_ANSWERS = 64;

const toQuestion = (since: string | null, accept: Encoding): string => `${accept} ${since ?? ''}`;

const createHeldFleet = (): HeldFleet => ({
  version: null,
  state: UNREAD_FEED,
  salvage: null,
  problems: [],
  answers: new Map(),
  clients: new Set(),
  requestedAtMs: -Infinity,
  comingVersion: null,
  refusedUntilMs: -Infinity,
});

const postCall = <K extends keyof ThreadCalls>(
  to: Worker,
  id: number | null,
  name: K,
  ...args: Parameters<ThreadCalls[K]>
): void => to.postMessage({ kind: 'call', id, name, args } satisfies ToThread);

const toUnavailable = (message: string, cause?: Error): AppError =>
  new AppError('feeds-unavailable', { message, cause });

/**
 * Feeds in a thread of their own: at 100,000 units a poll takes seconds to parse, judge and encode, which
 * does not block other requests. Repeated answers come from a cache in the main thread.
 */
export class ThreadedFeeds implements MovableFeeds {
  readonly #options: ThreadedFeedsOptions;
  #config: ThreadConfig;
  readonly #held: LRUCache<string, HeldFleet>;
  /** Refused fleets, apart so that they evict no other fleet. */
  readonly #refused = new LRUCache<string, HeldFleet>({ max: DEFAULT_LIVE_SETTINGS.refusalsKept });
  readonly #pending = new PendingMessages<unknown>();
  /** The epochs of fleets that may move, and when they were set, monotonic ms. */
  readonly #epochs = new Map<string, { epochAtMs: number; setAtMs: number }>();
  #thread: Worker | null;
  #isClosed = false;

  constructor(options: ThreadedFeedsOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#held = new LRUCache({ max: options.config.maxFleets });
    // Starts at once, because loading the thread takes a moment.
    this.#thread = this.#start();
  }

  feed(usdot: string): Feed {
    return {
      answer: (since, accept) => this.#answer(usdot, since, accept),
      detail: (key) => this.#call('detail', usdot, key),
      pollOnce: () => this.#call('pollOnce', usdot),
      recordAll: () => this.#call('recordAll', usdot),
      unitsOf: (vehicles) => this.#call('unitsOf', usdot, vehicles),
      tryNow: () => this.#call('tryNow', usdot),
      state: () => this.#find(usdot)?.state ?? UNREAD_FEED,
      refusedForMs: () => Math.max(0, (this.#find(usdot)?.refusedUntilMs ?? 0) - this.#monotonicMs()),
      salvage: () => this.#find(usdot)?.salvage ?? null,
      problems: () => this.#find(usdot)?.problems ?? [],
    };
  }

  knownCarrier(usdot: string, vin: string): Promise<VinCarrier | null> {
    return this.#call('knownCarrier', usdot, vin);
  }

  learnNames(usdot: string, identities: readonly UnitIdentity[]): void {
    this.#post('learnNames', usdot, identities);
  }

  learnCarrier(usdot: string, carrier: VinCarrier): void {
    this.#post('learnCarrier', usdot, carrier);
  }

  setFlagSettings(flags: FlagSettings): void {
    // A thread that replaces this one starts with them.
    this.#config = { ...this.#config, flagSettings: flags };
    this.#post('setFlagSettings', flags);
  }

  reloadWatch(usdot: string): void {
    this.#post('reloadWatch', usdot);
  }

  setEpoch(usdot: string, epochAtMs: number): void {
    this.#epochs.set(usdot, { epochAtMs, setAtMs: this.#monotonicMs() });
    this.#post('setEpoch', usdot, epochAtMs);
  }

  extend(usdots: readonly string[], untilMs: number): void {
    this.#post('extend', usdots, untilMs);
  }

  async closeFeed(usdot: string): Promise<void> {
    this.#epochs.delete(usdot);
    if (this.#thread !== null) await this.#call('closeFeed', usdot);
    this.#held.delete(usdot);
    this.#refused.delete(usdot);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ending = this.#thread;
    this.#forgetThread(toUnavailable('The feeds were closed.'));
    await ending?.terminate();
  }

  #start(): Worker {
    const started = new Worker(THREAD, { eval: true, workerData: this.#config });
    // The feeds of a new thread come after those of one that was lost.
    for (const [usdot, { epochAtMs, setAtMs }] of this.#epochs)
      postCall(started, null, 'setEpoch', usdot, epochAtMs + this.#monotonicMs() - setAtMs);
    started.on('message', (message: FromThread) => this.#handleMessage(started, message));
    started.on('error', (error) => {
      if (this.#thread !== started) return;
      this.#forgetThread(toUnavailable(error.message, error));
      this.#options.onLost(error);
    });
    return started;
  }

  #forgetThread(error: AppError): void {
    this.#thread = null;
    this.#held.clear();
    this.#refused.clear();
    this.#pending.rejectAll(error);
  }

  /** Rejects with AppError 'feeds-unavailable' if the thread ends first, or once the feeds are closed. */
  #call<K extends keyof ThreadCalls>(
    name: K,
    ...args: Parameters<ThreadCalls[K]>
  ): ReturnType<ThreadCalls[K]> {
    if (this.#isClosed)
      return Promise.reject(toUnavailable('The feeds are closed.')) as ReturnType<ThreadCalls[K]>;
    const thread = (this.#thread ??= this.#start());
    return this.#pending.send((id) => postCall(thread, id, name, ...args)) as ReturnType<ThreadCalls[K]>;
  }

  /** Calls a method without an answer; nothing where no thread runs. */
  #post<K extends keyof ThreadCalls>(name: K, ...args: Parameters<ThreadCalls[K]>): void {
    if (this.#thread !== null) postCall(this.#thread, null, name, ...args);
  }

  #handleMessage(from: Worker, message: FromThread): void {
    const { fetch, onPolled, onProblem } = this.#options;
    switch (message.kind) {
      case 'result':
        return this.#pending.resolve(message.id, message.value);
      case 'failed':
        return this.#pending.reject(message.id, fromPlainError(message.error));
      case 'published':
        return void this.#takePublished(message);
      case 'polled':
        return onPolled?.(message.report, message.health, message.changes, message.watched);
      case 'problem':
        return onProblem(message.usdot, message.problem, message.error && fromPlainError(message.error));
      case 'readStart':
        return void this.#sendStart(from, message);
      case 'request':
        void forwardRequest(fetch, message).then((reply) => {
          from.postMessage(reply, reply.kind === 'response' ? [reply.body.buffer as ArrayBuffer] : []);
        });
    }
  }

  async #sendStart(
    to: Worker,
    { id, usdot, parts }: Extract<FromThread, { kind: 'readStart' }>,
  ): Promise<void> {
    const start = (await this.#options.readStart?.(usdot, parts)) ?? { units: null, watch: null };
    const learned = start.arrivals?.learned;
    to.postMessage({ kind: 'start', id, start } satisfies ToThread, learned ? [learned.packed] : []);
  }

  #monotonicMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #find(usdot: string): HeldFleet | undefined {
    return this.#refused.peek(usdot) ?? this.#held.peek(usdot);
  }

  #hold(usdot: string): HeldFleet {
    const refusal = this.#refused.peek(usdot);
    if (refusal) return refusal;
    return getOrMake(this.#held, usdot, createHeldFleet);
  }

  /** Moves a fleet to the refused ones, or back, as the thread does. */
  #noteRefusal(usdot: string, refusedForMs: number): void {
    const held = this.#hold(usdot);
    held.refusedUntilMs = this.#monotonicMs() + refusedForMs;
    (refusedForMs > 0 ? this.#held : this.#refused).delete(usdot);
    (refusedForMs > 0 ? this.#refused : this.#held).set(usdot, held);
  }

  #answer(usdot: string, since: string | null, accept: Encoding): Promise<FeedAnswer> {
    const held = this.#hold(usdot);
    const question = toQuestion(since, accept);
    held.clients.add(accept);
    if (held.version !== null && this.#monotonicMs() - held.requestedAtMs < KEEP_AWAKE_MS) {
      const { version } = held;
      if (since === version) return Promise.resolve({ status: 304, body: null, encoding: null, version });
      const known = held.answers.get(question);
      if (known) return known;
    }
    const pending = this.#call('answer', usdot, since, accept);
    this.#remember(held, question, pending);
    return pending;
  }

  #remember(held: HeldFleet, question: string, pending: Promise<FeedAnswer>): void {
    held.requestedAtMs = this.#monotonicMs();
    if (held.answers.size >= MAX_ANSWERS) return;
    held.answers.set(question, pending);
    // A failure rejects the waiting requests and is not cached.
    pending.catch(() => held.answers.delete(question));
  }

  /** Requests from the thread the step from the version that browsers hold, in each requested encoding. */
  async #prepare(usdot: string, held: HeldFleet): Promise<HeldFleet['answers']> {
    const { version, clients } = held;
    const answers: HeldFleet['answers'] = new Map();
    if (version === null || clients.size === 0) return answers;
    held.requestedAtMs = this.#monotonicMs();
    const made = [...clients].map((accept) => {
      const question = toQuestion(version, accept);
      const pending = this.#call('answer', usdot, version, accept);
      answers.set(question, pending);
      // A later request for it gets the failure then.
      return pending.catch(() => answers.delete(question));
    });
    await Promise.all(made);
    return answers;
  }

  /**
   * A version is served only once the answer that nearly all browsers need is encoded and compressed: until
   * then they get the version before at once, instead of all waiting for it.
   */
  async #takePublished(message: Extract<FromThread, { kind: 'published' }>): Promise<void> {
    const { usdot, version, state, salvage, problems } = message;
    // The last poll of a fleet that another server has now.
    if (this.#config.isShared && !this.#epochs.has(usdot)) return;
    this.#noteRefusal(usdot, message.refusedForMs);
    const held = this.#hold(usdot);
    held.comingVersion = version;
    const answers = await this.#prepare(usdot, held);
    if (held.comingVersion !== version || this.#find(usdot) !== held) return;
    const clients = new Set<Encoding>();
    Object.assign(held, { version, state, salvage, problems, answers, clients, comingVersion: null });
    this.#options.onPublished?.(usdot, version);
  }
}
