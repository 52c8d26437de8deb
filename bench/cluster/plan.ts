import { availableParallelism } from 'node:os';

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
}

const processors = availableParallelism();
/** The load in which servers, PostgreSQL, Redis, HAProxy, provider and the bench's browsers still share the processors in time. */
const [fleets, browsers] = [15 * processors, 450 * processors];

export const FULL_PLAN: Plan = {
  fleets,
  units: 1000,
  browsers,
  soakMs: 90_000,
  kills: 10,
  loads: [
    { fleets: 1, browsers: 50 },
    { fleets: Math.round(fleets / 3), browsers: Math.round(browsers / 3) },
    { fleets, browsers },
  ],
};

export const SMOKE_PLAN: Plan = {
  fleets: 4,
  units: 50,
  browsers: 20,
  soakMs: 12_000,
  kills: 1,
  loads: [{ fleets: 2, browsers: 10 }],
};

export const SERVERS = 3;
