import 'server-only';
import { LRUCache } from 'lru-cache';
import type { PollReport } from '@/lib/fleet/poll-report';
import type { ThreadHealth } from './health';

/**
 * The newest poll reports, for each of a bounded number of fleets and for the thread that polls; the fleet that
 * was polled longest ago is evicted first.
 */
export class FeedJournal {
  readonly #reports: LRUCache<string, PollReport>;
  #lastHealth: ThreadHealth | null = null;

  constructor(maxFleets: number) {
    this.#reports = new LRUCache({ max: maxFleets });
  }

  notePoll(report: PollReport, health: ThreadHealth | null): void {
    this.#lastHealth = health;
    this.#reports.set(report.usdot, report);
  }

  /** Null before the first, and for a fleet that was evicted. */
  lastPoll(usdot: string): PollReport | null {
    return this.#reports.peek(usdot) ?? null;
  }

  /** The fleets with a stored report, in the order in which they were last polled. */
  usdots(): string[] {
    return [...this.#reports.rkeys()];
  }

  /** The health of the thread as of its newest poll; null before the first. */
  lastHealth(): ThreadHealth | null {
    return this.#lastHealth;
  }
}
