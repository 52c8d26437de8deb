/** What the archive is measured with. */
export interface Plan {
  /** The large fleet, and the hours that are recorded of it. */
  largeUnits: number;
  largeHours: number;
  /** The small fleet is recorded for a day, which is copied to further days. */
  smallUnits: number;
  days: number;
  trails: number;
  moments: number;
  /** Polls for the cost of recording. */
  polls: number;
}

export const FULL_PLAN: Plan = {
  largeUnits: 100_000,
  largeHours: 3,
  smallUnits: 5000,
  days: 31,
  trails: 200,
  moments: 20,
  polls: 6,
};

export const SMOKE_PLAN: Plan = {
  largeUnits: 400,
  largeHours: 2,
  smallUnits: 50,
  days: 3,
  trails: 10,
  moments: 3,
  polls: 3,
};
