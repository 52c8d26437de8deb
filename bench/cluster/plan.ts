/** What several servers are measured with. */
export interface Plan {
  fleets: number;
  /** Of each fleet. */
  units: number;
  browsers: number;
  /** How long the browsers poll. */
  soakMs: number;
  kills: number;
  /** How much each part of an installation needs is measured with these. */
  loads: readonly { fleets: number; browsers: number }[];
  /** How long servers are driven as hard as they go. */
  saturateMs: number;
}

export const FULL_PLAN: Plan = {
  fleets: 60,
  units: 1000,
  browsers: 3000,
  soakMs: 90_000,
  kills: 10,
  loads: [
    { fleets: 1, browsers: 50 },
    { fleets: 10, browsers: 500 },
    { fleets: 30, browsers: 900 },
  ],
  saturateMs: 15_000,
};

export const SMOKE_PLAN: Plan = {
  fleets: 4,
  units: 50,
  browsers: 20,
  soakMs: 12_000,
  kills: 1,
  loads: [{ fleets: 2, browsers: 10 }],
  saturateMs: 3000,
};

export const SERVERS = 3;
