/** The value below which a share (0 to 1) of the samples lies, by the nearest-rank method; NaN of none. */
export const percentile = (samples: readonly number[], share: number): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
};

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

/** Median, and between which values all samples lie. */
export interface Spread {
  median: number;
  least: number;
  most: number;
}

export const toSpread = (samples: readonly number[]): Spread => ({
  median: median(samples),
  least: Math.min(...samples),
  most: Math.max(...samples),
});
