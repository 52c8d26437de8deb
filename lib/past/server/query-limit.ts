import 'server-only';
import { resolveWithin, type Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import { formatWhole } from '@/lib/view/format';
import type { TimeRange } from '@/lib/base/time';

/** Queries of the history that run at once, of all viewers and of one. */
const MOST = 6;
const MOST_OF_ONE = 3;
/** Places that only viewers without a running query get, so that a few with slow answers do not take all. */
const RESERVED = 2;
const WAIT_MS = 5000;

/** Bounds how many queries of the history run at once, so that they leave the live map its processor and its disk. */
export class QueryLimit {
  readonly #clock: Clock;
  readonly #running: string[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a query of a viewer, after some seconds at most. @throws AppError 'history-busy', and as `query` does */
  async run<T>(viewerId: string, query: () => Promise<T>): Promise<T> {
    const untilMs = this.#clock.monotonicMs() + WAIT_MS;
    while (this.#isFull(viewerId)) {
      const leftMs = untilMs - this.#clock.monotonicMs();
      if (leftMs <= 0) throw new AppError('history-busy');
      const oneEnded = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await resolveWithin(oneEnded, leftMs, this.#clock);
    }
    this.#running.push(viewerId);
    try {
      return await query();
    } finally {
      this.#running.splice(this.#running.indexOf(viewerId), 1);
      for (const goOn of this.#waiting.splice(0)) goOn();
    }
  }

  #isFull(viewerId: string): boolean {
    const own = this.#running.filter((each) => each === viewerId).length;
    return this.#running.length >= (own === 0 ? MOST : MOST - RESERVED) || own >= MOST_OF_ONE;
  }
}

/** @throws AppError 'range-too-long' for ranges with more than `most` fixes of a fleet */
export const requireFew = async (
  reader: { countFixes: (usdot: string, range: TimeRange) => Promise<number> },
  usdot: string,
  ranges: readonly TimeRange[],
  most: number,
): Promise<void> => {
  let fixes = 0;
  for (const range of ranges) fixes += await reader.countFixes(usdot, range);
  if (fixes <= most) return;
  const [has, reads] = [fixes, most].map((each) => formatWhole(Math.round(each / 1e6)));
  throw new AppError('range-too-long', {
    detail: `The range has about ${has} million fixes of this fleet, and at most ${reads} million are read at once. Choose a shorter range.`,
  });
};
