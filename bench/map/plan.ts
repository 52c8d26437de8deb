/** What the map is moved on. */
export interface Device {
  name: string;
  /** Device pixels a CSS pixel. */
  ratio: number;
  /** How many times slower Chromium's processor is made. */
  slowdown: number;
}

/** Those after the first are for headroom: a 4K screen, and a cheap computer. */
const DEVICES: readonly Device[] = [
  { name: 'ratio 1', ratio: 1, slowdown: 1 },
  { name: 'ratio 2', ratio: 2, slowdown: 1 },
  { name: 'ratio 1, processor slowed 2 ×', ratio: 1, slowdown: 2 },
];

/** How much is measured. */
export interface Plan {
  sizes: readonly number[];
  zooms: readonly number[];
  devices: readonly Device[];
  /** Passes through all motions for each size and zoom; those after the first only if there is time. */
  motionPasses: number;
  /** Polls of the application for each size, those before them that compile it, and of each page that draws alone. */
  polls: number;
  warmPolls: number;
  alonePolls: number;
  /** Polls of the page that is left open. */
  dayPolls: number;
  dayUnits: number;
  repetitions: number;
  /** Counted from the start: no further pass goes on after the one, and the day ends with the other. */
  motionsWithinMs: number;
  withinMs: number;
  /** A peer that takes longer did not finish. */
  peerWithinMs: number;
}

export const FULL: Plan = {
  sizes: [10_000, 50_000, 100_000],
  zooms: [4, 7, 10, 14],
  devices: DEVICES,
  motionPasses: 2,
  polls: 7,
  warmPolls: 12,
  alonePolls: 3,
  dayPolls: 8640,
  dayUnits: 10_000,
  repetitions: 7,
  motionsWithinMs: 10 * 60_000,
  withinMs: 14.2 * 60_000,
  peerWithinMs: 24_000,
};

export const SMOKE: Plan = {
  sizes: [1000],
  zooms: [7],
  devices: DEVICES.slice(0, 1),
  motionPasses: 1,
  polls: 1,
  warmPolls: 1,
  alonePolls: 1,
  dayPolls: 20,
  dayUnits: 1000,
  repetitions: 2,
  motionsWithinMs: 120_000,
  withinMs: 130_000,
  peerWithinMs: 20_000,
};
