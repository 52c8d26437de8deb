/** How much is measured. */
export interface Plan {
  sizes: readonly number[];
  zooms: readonly number[];
  /** Passes through all motions for each size and zoom. */
  motionPasses: number;
  /** Polls of the application for each size, and of each page that draws alone. */
  polls: number;
  alonePolls: number;
  /** Polls of the page that is left open. */
  dayPolls: number;
  dayUnits: number;
  repetitions: number;
  /** No day and no pass is begun or gone on with after this, counted from the start. */
  withinMs: number;
  /** The day takes no more than this. */
  dayWithinMs: number;
  /** A peer that takes longer did not finish. */
  peerWithinMs: number;
}

export const FULL: Plan = {
  sizes: [10_000, 50_000, 100_000],
  zooms: [4, 7, 10, 14],
  motionPasses: 2,
  polls: 7,
  alonePolls: 5,
  dayPolls: 8640,
  dayUnits: 10_000,
  repetitions: 7,
  withinMs: 12 * 60_000,
  dayWithinMs: 5 * 60_000,
  peerWithinMs: 25_000,
};

export const SMOKE: Plan = {
  sizes: [1000],
  zooms: [7],
  motionPasses: 1,
  polls: 1,
  alonePolls: 1,
  dayPolls: 20,
  dayUnits: 1000,
  repetitions: 2,
  withinMs: 120_000,
  dayWithinMs: 10_000,
  peerWithinMs: 20_000,
};
