import 'server-only';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { PollReport } from '@/lib/fleet/poll-report';

/** The health of the polling thread since the last reading. */
export interface ThreadHealth {
  delayP50Ms: number;
  delayP99Ms: number;
  delayMaxMs: number;
  heapUsedBytes: number;
  /** How long each answer took to encode, and to compress, in milliseconds. */
  encodeMs: number[];
  compressMs: number[];
}

const NS_PER_MS = 1e6;
const RESOLUTION_MS = 20;
/** More answers than between two readings; bounds the list where readings are far apart. */
const MAX_SAMPLES = 256;

// The histogram includes the sampling interval itself.
const toMs = (ns: number): number => (Number.isFinite(ns) ? Math.max(0, ns / NS_PER_MS - RESOLUTION_MS) : 0);

/** Measures the thread that it is created in; cheap enough to run always. */
export class HealthMonitor {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #encodeMs: number[] = [];
  #compressMs: number[] = [];

  constructor() {
    this.#delay.enable();
  }

  noteEncoded(step: 'encode' | 'compress', tookMs: number): void {
    const samples = step === 'encode' ? this.#encodeMs : this.#compressMs;
    if (samples.length < MAX_SAMPLES) samples.push(tookMs);
  }

  take(): ThreadHealth {
    const health = {
      delayP50Ms: toMs(this.#delay.percentile(50)),
      delayP99Ms: toMs(this.#delay.percentile(99)),
      delayMaxMs: toMs(this.#delay.max),
      heapUsedBytes: process.memoryUsage().heapUsed,
      encodeMs: this.#encodeMs,
      compressMs: this.#compressMs,
    };
    this.#delay.reset();
    this.#encodeMs = [];
    this.#compressMs = [];
    return health;
  }
}

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
