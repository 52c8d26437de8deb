import { BUILD_HEADER } from '@/lib/base/http/protocol';
import type { Fleet } from '@/lib/wire/fleet';
import { applyLiveAnswer, type LiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { toLiveUrl } from '@/lib/browser/early-request';
import {
  ServerProblemError,
  ServerShapeError,
  ServerUnreachableError,
  readBody,
  request,
} from '@/lib/browser/fetch-json';
import { toBackoffMs } from '@/lib/base/time';

/** Why our own server gave no usable response, as text, and since when (browser clock). */
export interface LiveFailure {
  kind: 'offline' | 'unreachable' | 'refused';
  message: string;
  /** HTTP status of a refusal; null where there was none, as for an answer that the page cannot read. */
  status: number | null;
  /** The `code` of our server's problem document; null where there is none, as in a proxy's response. */
  code: string | null;
  sinceMs: number;
  times: number;
}

/** The fleet that this browser holds, and the state of its connection. */
export interface LiveReading {
  /** The last fleet that arrived, kept during failures. Immutable: an update is another object. */
  fleet: Fleet | null;
  /** Server clock less browser clock. */
  skewMs: number;
  /** When the server last answered, by the browser's clock. */
  receivedAtMs: number | null;
  /** About how often the server has a new version. */
  pollMs: number;
  /** How long after its answer the server expects the next poll. */
  nextPollMs: number;
  /** The server's build, as named by the first response or by three others in a row; null before that. */
  serverBuild: string | null;
  failure: LiveFailure | null;
  /** Set where the fleet is of a moment in the past, which is then the clock of all that is shown. */
  past: ShownMoment | null;
}

/** A fleet as a browser last received it, and the clocks of that moment. */
export interface FleetCopy {
  fleet: Fleet;
  skewMs: number;
  receivedAtMs: number;
}

/** A moment in the past as it is shown, Unix ms; `pace` is how fast it is played, 0 while it stands still. */
export interface ShownMoment {
  atMs: number;
  pace: number;
}

export const NOTHING_READ: LiveReading = {
  fleet: null,
  skewMs: 0,
  receivedAtMs: null,
  pollMs: 10_000,
  nextPollMs: 10_000,
  serverBuild: null,
  failure: null,
  past: null,
};

interface LiveReaderOptions {
  usdot: string;
  fetch: typeof fetch;
  now: () => number;
  isOnline: () => boolean;
  /** The fleet as this browser last received it, also before it was restarted; null where it is not known. */
  readCopy?: () => Promise<FleetCopy | null>;
}

const LEAST_POLL_MS = 1000;
const MOST_POLL_MS = 60_000;
/** The server had nothing new, but expects a new version at any moment. */
const NOTHING_NEW_MS = 2000;
/** During an upgrade, a build counts as the server's only after so many answers in a row. */
const IN_A_ROW = 3;
const SKEW_SAMPLES = 12;
/** Skew bounds that differ by more than any request takes were taken before and after a clock was set. */
const CLOCK_STEP_MS = 25_000;
/** The header Date is in whole seconds. */
const DATE_STEP_MS = 1000;

/** Parsing and applying a large answer in one task would drop a frame; in two tasks they do not. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const toBounded = (ms: number): number => Math.min(Math.max(ms, LEAST_POLL_MS), MOST_POLL_MS);

export const toFailure = (
  error: Error,
  before: LiveFailure | null,
  nowMs: number,
  online: boolean,
): LiveFailure => {
  const unreachable = error instanceof ServerUnreachableError;
  const refusal = error instanceof ServerProblemError ? error : null;
  return {
    kind: unreachable ? (online ? 'unreachable' : 'offline') : 'refused',
    message: error.message,
    status: refusal?.status ?? null,
    code: refusal?.problem?.code ?? null,
    sinceMs: before?.sinceMs ?? nowMs,
    times: (before?.times ?? 0) + 1,
  };
};

/** Whether our server itself did not answer: a refusal without a code is of a proxy whose server is gone. */
const isAway = ({ kind, status, code }: LiveFailure): boolean =>
  kind !== 'refused' || (code === null && status !== null && status >= 502);

export class SkewEstimate {
  readonly #now: () => number;
  #skews: number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  get skewMs(): number {
    return this.#skews.length === 0 ? 0 : Math.round(Math.max(...this.#skews));
  }

  /**
   * A server timestamp is at most the server's clock on arrival: an answer is made once a version, and the
   * transfer takes time. So each gives a lower bound of the skew, and the largest of the last ones is the
   * best estimate.
   */
  observe(serverMs: number): void {
    this.#skews.push(serverMs - this.#now());
    if (this.#skews.length > SKEW_SAMPLES) this.#skews.shift();
  }

  /** The Date header is written last: where it is far below the bound, one of the clocks was set. */
  observeDate(dateMs: number): void {
    if (!Number.isFinite(dateMs)) return;
    if (dateMs - this.#now() < Math.max(...this.#skews) - CLOCK_STEP_MS) this.#skews = [];
    this.observe(dateMs);
  }
}

/** Reads one fleet, change by change. It holds the fleet itself, so that no answer is applied twice. */
export class LiveReader {
  readonly #options: LiveReaderOptions;
  readonly #skew: SkewEstimate;
  #reading = NOTHING_READ;
  /** The base of the next change: `#reading.fleet`, unless a change did not fit it. */
  #base: Fleet | null = null;
  #serverBuild: string | null = null;
  /** The build that the last responses named; null where the last one named none, as that of a proxy. */
  #named: { build: string | null; times: number } = { build: null, times: 0 };
  /** Answers in a row that this page cannot read. */
  #unread = 0;

  constructor(options: LiveReaderOptions) {
    this.#options = options;
    this.#skew = new SkewEstimate(options.now);
  }

  /** Failure is state: resolves with the last fleet and the failure, and rejects only when it is aborted. */
  async read(signal?: AbortSignal): Promise<LiveReading> {
    const { now, isOnline } = this.#options;
    try {
      await this.#poll(signal);
      this.#unread = 0;
    } catch (error) {
      if (signal?.aborted || !(error instanceof Error)) throw error;
      this.#reading = { ...this.#reading, serverBuild: this.#serverBuild };
      const isOfServer = error instanceof ServerShapeError && this.#named.build !== null;
      if (isOfServer && ++this.#unread < IN_A_ROW) {
        this.#reading = { ...this.#reading, nextPollMs: LEAST_POLL_MS };
        return this.#reading;
      }
      const failure = toFailure(error, this.#reading.failure, now(), isOnline());
      // Once: the server has not answered this page yet.
      if (this.#reading.receivedAtMs === null && isAway(failure)) await this.#restore();
      this.#reading = { ...this.#reading, failure };
    }
    return this.#reading;
  }

  /** The next change follows from the restored fleet, like from a received one. */
  async #restore(): Promise<void> {
    const copy = await this.#options.readCopy?.();
    if (copy == null) return;
    this.#base = copy.fleet;
    this.#reading = { ...this.#reading, ...copy };
  }

  async #poll(signal?: AbortSignal): Promise<void> {
    const answer = await this.#fetchAnswer(this.#base?.version ?? null, signal);
    try {
      this.#accept(answer);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#base = null;
      this.#accept(await this.#fetchAnswer(null, signal));
    }
  }

  async #fetchAnswer(since: string | null, signal?: AbortSignal): Promise<LiveAnswer | null> {
    const { usdot, fetch } = this.#options;
    const response = await request(toLiveUrl(usdot, since), { signal, fetch });
    const dateMs = Date.parse(response.headers.get('date') ?? '');
    this.#skew.observeDate(dateMs);
    this.#noteBuild(response.headers.get(BUILD_HEADER));
    if (response.status === 304) return null;
    const answer = await readBody(response, fromLiveBytes);
    await nextTask();
    // A version from before the server's clock was set back gives no bound for its clock now.
    if (!(answer.nowMs > dateMs + DATE_STEP_MS)) this.#skew.observe(answer.nowMs);
    return answer;
  }

  #noteBuild(build: string | null): void {
    this.#named = { build, times: build === this.#named.build ? this.#named.times + 1 : 1 };
    if (build !== null && (this.#serverBuild === null || this.#named.times >= IN_A_ROW))
      this.#serverBuild = build;
  }

  #accept(answer: LiveAnswer | null): void {
    const nowMs = this.#options.now();
    const { skewMs } = this.#skew;
    const answered = { skewMs, receivedAtMs: nowMs, serverBuild: this.#serverBuild, failure: null };
    if (answer === null) {
      this.#reading = { ...this.#reading, ...answered, nextPollMs: NOTHING_NEW_MS };
      return;
    }
    this.#base = applyLiveAnswer(this.#base, answer);
    // The hint counts from when the answer was made, which may be long ago, or by a clock that was set back
    // since.
    const dueMs = Math.min(answer.nowMs + answer.nextPollMs - (nowMs + skewMs), answer.nextPollMs);
    this.#reading = {
      ...answered,
      past: null,
      fleet: this.#base,
      pollMs: toBounded(answer.nextPollMs),
      nextPollMs: toBounded(dueMs),
    };
  }
}

const FIRST_RETRY_MS = 3000;
const MOST_RETRY_MS = 30_000;
const HIDDEN_MS = 30_000;

/**
 * The delay before the next poll: the server's hint; after failures, longer each time, up to 30 s; and a long
 * one while the page is hidden, but short enough that the server keeps the feed running.
 */
export const toNextPollMs = ({ nextPollMs, failure }: LiveReading, isHidden: boolean): number => {
  const wait = failure === null ? nextPollMs : toBackoffMs(failure.times, FIRST_RETRY_MS, MOST_RETRY_MS);
  return isHidden ? Math.max(wait, HIDDEN_MS) : wait;
};
