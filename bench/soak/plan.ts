/** What the application is put through. */
import { MINUTE_MS } from '@/lib/base/time';

export interface SoakPlan {
  units: number;
  viewers: number;
  /** How long faults come, and which part of that is not yet judged for memory. */
  faultyMs: number;
  warmUpMs: number;
  /** What the memory at the beginning and at the end is the median of. */
  sampleMs: number;
}

export const FULL_PLAN: SoakPlan = {
  units: 1000,
  viewers: 50,
  faultyMs: 15 * MINUTE_MS,
  warmUpMs: 4 * MINUTE_MS,
  sampleMs: 3 * MINUTE_MS,
};

export const SMOKE_PLAN: SoakPlan = {
  units: 200,
  viewers: 5,
  faultyMs: 15_000,
  warmUpMs: 3000,
  sampleMs: 4000,
};

export const SOAK_USDOT = '9000001';
export const SOAK_SEED = 1956;
/** Share of the units that have a new fix every STEP_MS of the fleet. */
export const MOVED_SHARE = 0.6;
/** How often the server polls the provider: often, so that every fault comes many times. */
export const POLL_MS = 1000;
/** Of so many requests for the units about one is answered well; the rest of them are faults. */
export const GOOD_SHARE = 0.4;
/** Connections are refused once in about so long, for so long. */
export const REFUSE_EVERY_MS = 45_000;
export const REFUSE_FOR_MS = 2500;

/** The application's settings: small limits, so that a fault that hangs is over soon and the next one comes. */
export const VARIABLES: Record<string, string> = {
  LOG_LEVEL: 'info',
  POLL_INTERVAL_MS: String(POLL_MS),
  TRACKING_TIMEOUT_MS: '2000',
  LINEHAUL_TEST_TRACKING_MAX_ANSWER_MB: '32',
  LINEHAUL_TEST_TRACKING_MAX_BACKOFF_MS: '1500',
  LINEHAUL_TEST_TRACKING_MAX_RETRY_AFTER_MS: '3000',
};
