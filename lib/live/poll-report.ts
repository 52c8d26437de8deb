import 'server-only';
import type { FeedProblem } from '@/lib/wire/fleet';
import type { FleetCensus } from './counts';

/** What came of one poll, for whoever keeps account of them. */
export interface PollReport {
  usdot: string;
  /** Why it failed; null where it did not. */
  failure: FeedProblem['kind'] | null;
  /** From the request to the version that came of it. */
  tookMs: number;
  /** The fleet as it stands after the poll, also where that failed. */
  census: FleetCensus;
}

/** Told of how long an answer took to make: put together from what changed, and compressed. */
export type OnEncoded = (step: 'encode' | 'compress', tookMs: number) => void;
