/** What sites and alerts are measured with. */
export interface Plan {
  /** The fleet whose sites and rules are judged, poll by poll. */
  units: number;
  sites: number;
  rules: number;
  polls: number;
  /** In the first polls units arrive where they are, and code is compiled; the rules begin after them. */
  uncounted: number;
  /** The fleet that is recorded for some days up to now. */
  recordedUnits: number;
  recordedDays: number;
  /** Days of visits to a site, and requests for its page. */
  visitedDays: number;
  requests: number;
  previews: number;
  /** The fleet whose trucks exceed a speed, one after the other: all of them once in `cycleS`. */
  speedingUnits: number;
  cycleS: number;
  pollMs: number;
  /** How long it is polled before messages are counted, until as many alerts close as open, and how long they are. */
  warmUpMs: number;
  countedMs: number;
}

const FULL_PLAN: Plan = {
  units: 100_000,
  sites: 5000,
  rules: 200,
  polls: 25,
  uncounted: 8,
  recordedUnits: 400,
  recordedDays: 7,
  visitedDays: 365,
  requests: 50,
  previews: 3,
  speedingUnits: 4000,
  cycleS: 240,
  pollMs: 10_000,
  warmUpMs: 170_000,
  countedMs: 150_000,
};

const SMOKE_PLAN: Plan = {
  units: 1000,
  sites: 50,
  rules: 20,
  polls: 8,
  uncounted: 3,
  recordedUnits: 20,
  recordedDays: 0.1,
  visitedDays: 7,
  requests: 5,
  previews: 1,
  speedingUnits: 300,
  cycleS: 60,
  pollMs: 2000,
  warmUpMs: 6000,
  countedMs: 6000,
};

export const isSmoke = process.argv.includes('--smoke');
export const plan = isSmoke ? SMOKE_PLAN : FULL_PLAN;
