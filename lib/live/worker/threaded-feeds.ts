import 'server-only';
import { Worker } from 'node:worker_threads';
import type { Encoding } from '@/lib/live/encode/compress';
import type { Feed, Feeds } from '@/lib/live/feeds';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';
import type { PollReport } from '@/lib/live/feed/poll-report';
import type { PastProblem } from '@/lib/live/feed/problem-ring';
import type { FeedAnswer } from '@/lib/live/encode/publisher';
import type { SalvageReport } from '@/lib/tracking/unit';
import { UNREAD_FEED } from '@/lib/wire/fleet';
import type { FeedProblem, FeedState } from '@/lib/wire/fleet';
import type { UnitDetail } from '@/lib/wire/unit';
import type { Fetch } from '@/lib/tracking/transport';
import { answerThrough } from './fetch-through';
import { fromPlainError } from './messages';
import type { FromThread, ThreadOrder, ToThread } from './messages';
import type { ThreadVitals } from './health';

/** The main thread's copy of the newest state of a fleet. */
interface Held {
  version: string | null;
  state: FeedState;
  salvage: SalvageReport | null;
  problems: readonly PastProblem[];
  /** Answers of this version, by question. */
  answers: Map<string, Promise<FeedAnswer>>;
  /** The encodings that were requested since this version came. */
  clients: Set<Encoding>;
  /** When the thread last got a request: it rests without requests. */
  askedAtMs: number;
  /** The version that takes this one's place once its likely answers are ready. */
  comingVersion: string | null;
  /**
   * By `elapsed`: until then the thread answers with the provider's refusal, and does not request the fleet.
   */
  refusedUntilMs: number;
}

export interface ThreadedFeedsOptions {
  order: ThreadOrder;
  /** Sends the requests of a thread that has no provider. */
  fetch: Fetch;
  /** Monotonic time in ms. */
  elapsed: () => number;
  onProblem: (usdot: string, problem: FeedProblem, error: unknown) => void;
  /** Called with the report of each poll and the health of the thread. */
  onPolled?: (report: PollReport, vitals: ThreadVitals) => void;
  /** The thread ended by itself; another one starts when it is next needed. */
  onLost: (error: Error) => void;
}

/**
 * The thread runs from its source, relative to the checkout. A string rather than a path, because a bundler
 * that resolves a path would include it in the server.
 */
const THREAD = "import('./lib/live/worker/start.mjs')";
/** The condition resolves server-only to the empty module, as on a server. */
const THREAD_ARGV = ['--conditions=react-server'];

/** Shorter than a feed polls without requests, so that a watched fleet never rests. */
const KEEP_AWAKE_MS = 10_000;
/** More questions about one version than real browsers have: those beyond are answered, not cached. */
const MAX_ANSWERS = 64;

const toQuestion = (since: string | null, accept: Encoding): string => `${accept} ${since ?? ''}`;

/** The thread in which fleets are polled has ended. */
export class FeedThreadLostError extends Error {
  override name = 'FeedThreadLostError';
}

/**
 * Feeds in a thread of their own: at 100,000 units a poll takes seconds to parse, judge and encode, which
 * does not block other requests. Repeated answers come from a cache in the main thread.
 */
export const createThreadedFeeds = (options: ThreadedFeedsOptions): Feeds => {
  const { elapsed } = options;
  let { order } = options;
  const helds = new Map<string, Held>();
  /** Refused fleets, apart so that they evict no other fleet. */
  const refused = new Map<string, Held>();
  const waiting = new Map<
    number,
    { resolve: (told: FromThread) => void; reject: (error: unknown) => void }
  >();
  let questions = 0;

  const find = (usdot: string): Held | undefined => refused.get(usdot) ?? helds.get(usdot);

  const hold = (usdot: string): Held => {
    const refusal = refused.get(usdot);
    if (refusal) return refusal;
    const held = helds.get(usdot) ?? {
      version: null,
      state: UNREAD_FEED,
      salvage: null,
      problems: [],
      answers: new Map(),
      clients: new Set(),
      askedAtMs: -Infinity,
      comingVersion: null,
      refusedUntilMs: -Infinity,
    };
    helds.delete(usdot);
    helds.set(usdot, held);
    const [oldest] = helds.keys();
    if (helds.size > order.maxFleets && oldest !== undefined) helds.delete(oldest);
    return held;
  };

  /** Moves a fleet to the refused ones, or back, as the thread does. */
  const noteRefusal = (usdot: string, refusedForMs: number): void => {
    const held = hold(usdot);
    held.refusedUntilMs = elapsed() + refusedForMs;
    (refusedForMs > 0 ? helds : refused).delete(usdot);
    (refusedForMs > 0 ? refused : helds).set(usdot, held);
    const [oldest] = refused.keys();
    if (refused.size > DEFAULT_LIVE_SETTINGS.refusalsKept && oldest !== undefined) refused.delete(oldest);
  };

  const hear = (from: Worker, told: FromThread): void => {
    switch (told.kind) {
      case 'published':
        return void takePublished(told);
      case 'polled':
        return options.onPolled?.(told.report, told.vitals);
      case 'problem':
        return options.onProblem(told.usdot, told.problem, told.error && fromPlainError(told.error));
      case 'request':
        void answerThrough(options.fetch, told).then((reply) => {
          from.postMessage(reply, reply.kind === 'response' ? [reply.body.buffer as ArrayBuffer] : []);
        });
        return;
      default: {
        const client = waiting.get(told.id);
        waiting.delete(told.id);
        if (told.kind === 'failed') client?.reject(fromPlainError(told.error));
        else client?.resolve(told);
      }
    }
  };

  const lose = (error: Error): void => {
    thread = null;
    helds.clear();
    refused.clear();
    for (const { reject } of waiting.values())
      reject(new FeedThreadLostError(error.message, { cause: error }));
    waiting.clear();
  };

  const start = (): Worker => {
    const started = new Worker(THREAD, { eval: true, workerData: order, execArgv: THREAD_ARGV });
    started.on('message', (told: FromThread) => hear(started, told));
    started.on('error', (error) => {
      if (thread !== started) return;
      lose(error);
      options.onLost(error);
    });
    return started;
  };

  // Starts at once, because loading the thread takes a moment.
  let thread: Worker | null = start();

  const ask = (question: (id: number) => ToThread): Promise<FromThread> =>
    new Promise((resolve, reject) => {
      thread ??= start();
      const id = ++questions;
      waiting.set(id, { resolve, reject });
      thread.postMessage(question(id));
    });

  const askForAnswer = async (usdot: string, since: string | null, accept: Encoding): Promise<FeedAnswer> => {
    const told = await ask((id) => ({ kind: 'answer', id, usdot, since, accept }));
    return (told as Extract<FromThread, { kind: 'answered' }>).answer;
  };

  const remember = (held: Held, question: string, asked: Promise<FeedAnswer>): void => {
    held.askedAtMs = elapsed();
    if (held.answers.size >= MAX_ANSWERS) return;
    held.answers.set(question, asked);
    // A failure rejects the waiting requests and is not cached.
    asked.catch(() => held.answers.delete(question));
  };

  /** Requests from the thread the step from the version that browsers hold, in each requested encoding. */
  const prepare = async (usdot: string, held: Held): Promise<Held['answers']> => {
    const { version, clients } = held;
    const answers: Held['answers'] = new Map();
    if (version === null || clients.size === 0) return answers;
    held.askedAtMs = elapsed();
    const made = [...clients].map((accept) => {
      const question = toQuestion(version, accept);
      const asked = askForAnswer(usdot, version, accept);
      answers.set(question, asked);
      // A later request for it gets the failure then.
      return asked.catch(() => answers.delete(question));
    });
    await Promise.all(made);
    return answers;
  };

  /**
   * A version is served only once the answer that nearly all browsers need is encoded and compressed: until
   * then they get the version before at once, instead of all waiting for it.
   */
  const takePublished = async (told: Extract<FromThread, { kind: 'published' }>): Promise<void> => {
    const { usdot, version, state, salvage, problems } = told;
    noteRefusal(usdot, told.refusedForMs);
    const held = hold(usdot);
    held.comingVersion = version;
    const answers = await prepare(usdot, held);
    if (held.comingVersion !== version) return;
    Object.assign(held, {
      version,
      state,
      salvage,
      problems,
      answers,
      clients: new Set(),
      comingVersion: null,
    });
  };

  const createFeed = (usdot: string): Feed => ({
    answer: (since, accept) => {
      const held = hold(usdot);
      const question = toQuestion(since, accept);
      held.clients.add(accept);
      if (held.version !== null && elapsed() - held.askedAtMs < KEEP_AWAKE_MS) {
        const { version } = held;
        if (since === version) return Promise.resolve({ status: 304, body: null, encoding: null, version });
        const known = held.answers.get(question);
        if (known) return known;
      }
      const asked = askForAnswer(usdot, since, accept);
      remember(held, question, asked);
      return asked;
    },
    detail: async (key): Promise<UnitDetail | null> => {
      const told = await ask((id) => ({ kind: 'detail', id, usdot, key }));
      return (told as Extract<FromThread, { kind: 'detailed' }>).detail;
    },
    tryNow: async () => {
      const told = await ask((id) => ({ kind: 'try', id, usdot }));
      return (told as Extract<FromThread, { kind: 'tried' }>).waitMs;
    },
    state: () => find(usdot)?.state ?? UNREAD_FEED,
    refusedForMs: () => Math.max(0, (find(usdot)?.refusedUntilMs ?? 0) - elapsed()),
    salvage: () => find(usdot)?.salvage ?? null,
    problems: () => find(usdot)?.problems ?? [],
  });

  return {
    feed: createFeed,
    knownCarrier: async (usdot, vin) => {
      const told = await ask((id) => ({ kind: 'carrier', id, usdot, vin }));
      return (told as Extract<FromThread, { kind: 'carried' }>).carrier;
    },
    learnCarrier: (usdot, carrier) =>
      thread?.postMessage({ kind: 'learn', usdot, carrier } satisfies ToThread),
    judgeBy: (flags) => {
      // A thread that replaces this one starts with them.
      order = { ...order, flagSettings: flags };
      thread?.postMessage({ kind: 'judge', flags } satisfies ToThread);
    },
    close: () => {
      const ending = thread;
      lose(new Error('The server is shutting down.'));
      void ending?.terminate();
    },
  };
};
