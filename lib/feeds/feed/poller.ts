import 'server-only';
import type { Clock } from '@/lib/base/clock';

/** Runs a poll again and again while the feed is in use, one at a time. */
export class Poller {
  readonly #poll: (isFirst: boolean) => Promise<number>;
  readonly #watchMs: number;
  readonly #clock: Clock;
  #requestedAtMs = -Infinity;
  #running: Promise<void> | null = null;
  #isClosed = false;
  #cancel: (() => void) | null = null;

  /**
   * @param poll returns the delay before the next one in ms, and must not reject; the first one after a rest
   *   is marked
   * @param watchMs how long polling goes on after the last request
   */
  constructor(poll: (isFirst: boolean) => Promise<number>, watchMs: number, clock: Clock) {
    this.#poll = poll;
    this.#watchMs = watchMs;
    this.#clock = clock;
  }

  /** Extends polling. Where it rests, starts it and returns the end of the first poll; otherwise null. */
  wake(): Promise<void> | null {
    this.#requestedAtMs = this.#clock.monotonicMs();
    return this.runOnce();
  }

  /** Polls once where it rests, without extending polling; returns the end of the poll, otherwise null. */
  runOnce(): Promise<void> | null {
    if (this.#isClosed || this.#running !== null || this.#cancel !== null) return null;
    this.#start(true);
    return this.#running;
  }

  /** Polls without waiting any longer, or joins a poll in flight; extends polling. Resolves when it has ended. */
  async runNow(): Promise<void> {
    this.#requestedAtMs = this.#clock.monotonicMs();
    if (this.#running === null) {
      this.#cancel?.();
      this.#run(false);
    }
    await this.#running;
  }

  /** Stops polling for good; resolves once a poll in flight has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    this.#cancel = null;
    await this.#running;
  }

  #run(isFirst: boolean): void {
    this.#cancel = null;
    if (this.#isClosed || this.#clock.monotonicMs() - this.#requestedAtMs > this.#watchMs) return;
    this.#start(isFirst);
  }

  #start(isFirst: boolean): void {
    this.#running = this.#poll(isFirst).then((delayMs) => {
      this.#running = null;
      if (!this.#isClosed) this.#cancel = this.#clock.setTimer(() => this.#run(false), delayMs);
    });
  }
}

/** More than a clock is slewed between two polls. */
const STEP_MS = 5000;

/** Detects that the server's wall clock was set. A suspended machine looks like a clock that was set forward. */
export class ClockProbe {
  readonly #clock: Clock;
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#aheadMs = clock.nowMs() - clock.monotonicMs();
  }

  /** By how much it moved since the last call beyond the monotonic time, in ms; 0 while it only runs. */
  readStepMs(): number {
    const aheadMs = this.#clock.nowMs() - this.#clock.monotonicMs();
    const stepMs = aheadMs - this.#aheadMs;
    this.#aheadMs = aheadMs;
    return Math.abs(stepMs) < STEP_MS ? 0 : stepMs;
  }
}
