/** What the server is measured with. */
export interface Plan {
  /** Units of the fleet that browsers poll. */
  units: number;
  browsers: number;
  /** How long the browsers poll, and how long each way is driven as hard as it goes. */
  soakMs: number;
  saturateMs: number;
  /** Units of the fleet during whose polls the event loop is watched, and for how long. */
  largeUnits: number;
  watchMs: number;
  /** How often a customer's link is opened while browsers poll, and in how many rounds of so long, every other one without. */
  openingsPerMinute: number;
  openingRounds: number;
  openingRoundMs: number;
}

export const FULL_PLAN: Plan = {
  units: 10_000,
  browsers: 1000,
  soakMs: 600_000,
  saturateMs: 20_000,
  largeUnits: 100_000,
  watchMs: 90_000,
  openingsPerMinute: 10_000,
  openingRounds: 6,
  openingRoundMs: 30_000,
};

export const SMOKE_PLAN: Plan = {
  units: 1000,
  browsers: 20,
  soakMs: 12_000,
  saturateMs: 6000,
  largeUnits: 1000,
  watchMs: 8000,
  openingsPerMinute: 1000,
  openingRounds: 2,
  openingRoundMs: 6000,
};

export const BENCH_USDOT = '9000001';
export const BENCH_SEED = 1956;
/** Share of the units that have a new fix at each poll. */
export const MOVED_SHARE = 0.6;
/** How often the server polls the provider, and each browser the server. */
export const POLL_MS = 5000;
