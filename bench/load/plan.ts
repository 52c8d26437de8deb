/** How much is measured. */
export interface Plan {
  /** Sizes of the demo fleet for the first truck on a phone; everything else is measured with the first. */
  sizes: readonly number[];
  rounds: number;
  /** Of the demo's past that is recorded at its first start. */
  pastHours: number;
}

export const FULL: Plan = { sizes: [400, 10_000], rounds: 5, pastHours: 24 };

export const SMOKE: Plan = { sizes: [100], rounds: 1, pastHours: 1 };
