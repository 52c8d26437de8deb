import { Listeners } from '@/lib/base/listeners';
import type { PastMoment, PastSpeed } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';
import { ServerProblemError } from '@/lib/browser/fetch-json';
import { NOTHING_READ, toFailure, type LiveFailure, type LiveReading } from '../live-reader';
import { PastReader } from './past-reader';

/** Why a moment is not shown: nothing was recorded then, or the request for it failed. */
export interface PastProblem {
  kind: 'notRecorded' | 'failed';
  atMs: number;
  message: string;
}

export interface PastState {
  /** The moment that is chosen, Unix ms; the screen shows it once it is loaded. */
  atMs: number;
  speed: PastSpeed;
  isPlaying: boolean;
  isLoading: boolean;
  problem: PastProblem | null;
  /** What the screen shows; null before the first answer. */
  reading: LiveReading | null;
}

interface PastPlayerOptions {
  read: (atMs: number, signal: AbortSignal) => Promise<Fleet>;
  start: PastMoment;
  /** The latest moment that can be shown, Unix ms. */
  latestMs: () => number;
  /** Takes the moment and the speed for the page's address. */
  onMoment: (moment: PastMoment) => void;
}

/** How often the moment moves on while the past is played, and how often a fleet is requested then, at most. */
const STEP_MS = 1000;
/** While the time bar is dragged, requests follow each other no faster. */
const DRAG_MS = 50;
/** Slow motion, and a past that was played up to now, shows the same fleet for this long, as the live screen does between polls. */
const KEPT_MS = 5000;
/** The address follows a past that is played this seldom. */
const ADDRESS_MS = 5000;
/** Recorded fleets are polled this seldom while no browser shows them: an older answer is old. */
const RECORDED_POLL_MS = 30_000;

/** Not signed in, not allowed, no such fleet. */
const REFUSALS = [401, 403, 404];
const NOT_RECORDED = 'not-recorded';

/** What is shown, without motion. */
const toStill = (reading: LiveReading, failure: LiveFailure | null): LiveReading => ({
  ...reading,
  failure,
  past: reading.past && { ...reading.past, pace: 0 },
});

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Shows a fleet at moments in the past, one after the other while it is played. */
export class PastPlayer {
  readonly #options: PastPlayerOptions;
  readonly #listeners = new Listeners();
  #state: PastState;
  /** The fleet that was read last, null where nothing is recorded, and its moment. */
  #held: { atMs: number; fleet: Fleet | null } | null = null;
  #work = new AbortController();
  #isDragged = false;
  #isSettling = false;
  /** A failure ended playing. */
  #isInterrupted = false;
  #requestedMs = NaN;
  #requestedAt = -Infinity;
  #reported: PastMoment;
  #reportedAt = -Infinity;
  /** The moment to begin with; null once it was shown, or another one chosen. */
  #startMs: number | null;

  constructor(options: PastPlayerOptions) {
    this.#options = options;
    this.#reported = options.start;
    this.#startMs = options.start.atMs;
    const atMs = this.#toKnown(options.start.atMs);
    const { speed } = options.start;
    this.#state = { atMs, speed, isPlaying: false, isLoading: true, problem: null, reading: null };
    this.#restart();
  }

  readonly read = (): PastState => this.#state;
  /** The latest moment that can be shown, Unix ms. */
  readonly readLatestMs = (): number => this.#options.latestMs();
  readonly subscribe = this.#listeners.add;

  /** Takes the moment of the address, unless it is the one that was reported to it. */
  follow(moment: PastMoment): void {
    if (moment.atMs === this.#reported.atMs && moment.speed === this.#reported.speed) return;
    this.#reported = moment;
    this.#change({ speed: moment.speed });
    this.seek(moment.atMs);
  }

  /** Shows a moment at once; requests for other moments are aborted. */
  seek(toMs: number): void {
    const atMs = this.#toKnown(toMs);
    this.#startMs = null;
    const isUnderWay = this.#isSettling && this.#requestedMs === atMs;
    this.#isDragged = false;
    this.#change({ atMs });
    if (!isUnderWay) this.#restart();
    this.#report();
  }

  /** Shows moments while the time bar is dragged, as fast as they come; `seek` ends it. */
  drag(atMs: number): void {
    this.#isDragged = true;
    this.#startMs = null;
    this.#change({ atMs: this.#toKnown(atMs) });
    if (!this.#isSettling) this.#restart();
  }

  play(): void {
    if (this.#state.isPlaying) return;
    this.#change({ isPlaying: true, problem: null });
    this.#restart();
  }

  pause(): void {
    if (!this.#state.isPlaying) return;
    this.#change({ isPlaying: false });
    // The moment itself, where its fleet is of a few seconds before; without a motion.
    if (this.#held?.atMs === this.#state.atMs) this.#show(this.#state.atMs);
    this.#restart();
    this.#report();
  }

  setSpeed(speed: PastSpeed): void {
    this.#change({ speed });
    this.#report();
  }

  /** Requests what failed again, and plays on where that was interrupted. */
  retry(): void {
    this.#change({ problem: null, isPlaying: this.#isInterrupted });
    this.#restart();
  }

  stop(): void {
    this.#work.abort();
  }

  #toKnown(atMs: number): number {
    return Math.floor(Math.min(atMs, this.#options.latestMs()) / 1000) * 1000;
  }

  #change(patch: Partial<PastState>): void {
    this.#state = { ...this.#state, ...patch };
    this.#listeners.notify();
  }

  #report(): void {
    const { atMs, speed } = this.#state;
    this.#reportedAt = performance.now();
    this.#reported = { atMs, speed };
    this.#options.onMoment(this.#reported);
  }

  #restart(): void {
    this.#work.abort();
    this.#work = new AbortController();
    void this.#run(this.#work.signal);
  }

  async #run(signal: AbortSignal): Promise<void> {
    this.#isSettling = true;
    while (!signal.aborted && this.#held?.atMs !== this.#state.atMs) {
      const waitMs = this.#requestedAt + DRAG_MS - performance.now();
      // Otherwise at once: before the pointer's move is rendered.
      if (this.#isDragged && waitMs > 0) await wait(waitMs);
      if (signal.aborted) return;
      const { atMs } = this.#state;
      if (!(await this.#load(atMs, signal))) break;
      this.#show(atMs);
      // The first answer tells the server's clock, by which a later moment may be known.
      if (this.#startMs !== null) this.#change({ atMs: this.#toKnown(this.#startMs) });
      this.#startMs = null;
    }
    if (signal.aborted) return;
    this.#isSettling = false;
    this.#change({ isLoading: false });
    while (!signal.aborted && this.#state.isPlaying && !this.#isDragged) await this.#step(signal);
  }

  /** Moves on by one step: its fleet is requested while the one before is shown. */
  async #step(signal: AbortSignal): Promise<void> {
    const { atMs, speed } = this.#state;
    const nextMs = this.#toKnown(atMs + speed * STEP_MS);
    if (nextMs <= atMs) return this.pause();
    const isKept = this.#held !== null && nextMs - this.#held.atMs < KEPT_MS;
    const [isLoaded] = await Promise.all([isKept || this.#load(nextMs, signal), wait(STEP_MS)]);
    if (signal.aborted || !isLoaded) return;
    this.#change({ atMs: nextMs });
    this.#show(nextMs);
    if (performance.now() - this.#reportedAt >= ADDRESS_MS) this.#report();
  }

  /** Reads the fleet at a moment; false where the request failed or was aborted. */
  async #load(atMs: number, signal: AbortSignal): Promise<boolean> {
    this.#requestedMs = atMs;
    this.#requestedAt = performance.now();
    if (!this.#state.isPlaying) this.#change({ isLoading: true });
    try {
      this.#held = { atMs, fleet: await this.#options.read(atMs, signal) };
      if (this.#state.problem !== null) this.#change({ problem: null });
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof Error)) throw error;
      const code = error instanceof ServerProblemError ? error.problem?.code : undefined;
      if (code !== NOT_RECORDED) {
        this.#fail(atMs, error);
        return false;
      }
      this.#held = { atMs, fleet: null };
      this.#change({ problem: { kind: 'notRecorded', atMs, message: error.message } });
    }
    return true;
  }

  /** Keeps what is shown, which before the first answer is nothing; a refusal is shown by the whole page, which may have to be reloaded. */
  #fail(atMs: number, error: Error): void {
    const isRefused = error instanceof ServerProblemError && REFUSALS.includes(error.status);
    const failure: LiveFailure | null = isRefused ? toFailure(error, null, atMs, true) : null;
    const reading = this.#state.reading ?? { ...NOTHING_READ, past: { atMs, pace: 0 } };
    const problem: PastProblem = { kind: 'failed', atMs, message: error.message };
    this.#isInterrupted = this.#state.isPlaying;
    this.#change({ isPlaying: false, problem, reading: toStill(reading, failure) });
    this.#report();
  }

  #show(atMs: number): void {
    const { isPlaying, speed } = this.#state;
    const fleet = this.#held?.fleet ?? null;
    this.#change({
      reading: {
        ...NOTHING_READ,
        fleet,
        receivedAtMs: fleet === null ? null : atMs,
        pollMs: RECORDED_POLL_MS,
        past: { atMs, pace: isPlaying && !this.#isDragged ? speed : 0 },
      },
    });
  }
}

/** The player of a fleet's past, which reads our own server. */
export const createPastPlayer = (
  usdot: string,
  { skewMs, ...options }: Omit<PastPlayerOptions, 'read' | 'latestMs'> & { skewMs: number },
): PastPlayer => {
  const reader = new PastReader(usdot, (url, init) => fetch(url, init), skewMs);
  return new PastPlayer({
    ...options,
    read: (atMs, signal) => reader.read(atMs, signal),
    latestMs: () => Date.now() + reader.skewMs,
  });
};
