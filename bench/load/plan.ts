/** How much is measured. */
export interface Plan {
  /** Sizes of the demo fleet for the first truck on a phone; everything else is measured with the first. */
  sizes: readonly number[];
  rounds: number;
}

export const FULL: Plan = { sizes: [400, 10_000], rounds: 5 };

export const SMOKE: Plan = { sizes: [100], rounds: 1 };
