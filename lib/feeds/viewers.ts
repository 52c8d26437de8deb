import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { SCREEN_HEADER } from '@/lib/base/http/protocol';

const SCREEN = /^[\w-]{1,40}$/;
/** Beyond this many screens of a fleet the oldest are not counted, so that invented numbers cost little. */
const MAX_SCREENS = 10_000;

/** Counts the screens of each fleet by their numbers; clients without one count as one screen. */
export class Viewers {
  readonly #lastingMs: number;
  readonly #clock: Clock;
  /** In the order in which they last polled. */
  readonly #byFleet = new Map<string, Map<string, number>>();

  constructor(lastingMs: number, clock: Clock) {
    this.#lastingMs = lastingMs;
    this.#clock = clock;
  }

  record(usdot: string, headers: Headers): void {
    const given = headers.get(SCREEN_HEADER);
    const screen = given !== null && SCREEN.test(given) ? given : 'none';
    const screens = this.#sweep(usdot);
    screens.delete(screen);
    screens.set(screen, this.#clock.monotonicMs());
    this.#byFleet.delete(usdot);
    this.#byFleet.set(usdot, screens);
    // Fleets that are no longer polled are swept when others are.
    const [oldest] = this.#byFleet.keys();
    if (oldest !== undefined && oldest !== usdot) this.#sweep(oldest);
  }

  /** The screens that polled a fleet lately: one for each browser tab, hidden ones included. */
  count(usdot: string): number {
    return this.#sweep(usdot).size;
  }

  /** Removes the expired screens of a fleet, which come first: the map is in polling order. */
  #sweep(usdot: string): Map<string, number> {
    const screens = this.#byFleet.get(usdot) ?? new Map<string, number>();
    for (const [screen, atMs] of screens) {
      if (this.#clock.monotonicMs() - atMs <= this.#lastingMs && screens.size <= MAX_SCREENS) break;
      screens.delete(screen);
    }
    if (screens.size === 0) this.#byFleet.delete(usdot);
    return screens;
  }
}
