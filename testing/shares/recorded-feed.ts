import type { Pool } from 'pg';
import { drizzle } from 'drizzle-orm/node-postgres';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { extendCoverage, readLastCoverage } from '@/lib/recording/coverage';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { readLastMinutes } from '@/lib/recording/last-minutes';
import { readWatchedLoads } from '@/lib/recording/load-writer';
import { readRecordedUnits } from '@/lib/recording/recorded-fleet';
import { readWatchedVisits } from '@/lib/recording/visit-repository';
import { FleetWatch } from '@/lib/rules/fleet-watch';
import { listWatchedSites } from '@/lib/sites/server/site-repository';
import type { TrackedUnit } from '@/lib/tracking/unit';

const ROSTER = new Set<string>();
const GAP_MS = 3 * 60_000;

/** A feed of one fleet that judges and records each poll as the server does, in this process. */
export class RecordedFeed {
  readonly #pool: Pool;
  readonly #usdot: string;
  #history: HistoryRepository;
  #tracker!: FleetTracker;
  #watch!: FleetWatch;
  #isFirst = true;

  constructor(pool: Pool, usdot: string) {
    this.#pool = pool;
    this.#usdot = usdot;
    this.#history = new HistoryRepository(pool);
  }

  /** Begins as a server does that was just started, or that has taken the fleet over: with what is recorded. */
  async start(nowMs: number): Promise<void> {
    this.#tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, this.#usdot);
    const last = await readLastCoverage(this.#pool, this.#usdot);
    if (last)
      this.#tracker.restore(await readRecordedUnits(this.#pool, this.#usdot, last.toMs - 2 * 3_600_000));
    this.#watch = new FleetWatch();
    this.#isFirst = true;
    await this.#readWatch(nowMs, true);
  }

  /** Reads sites and loads again, as after a change of them. */
  readAgain(nowMs: number): Promise<void> {
    return this.#readWatch(nowMs, false);
  }

  async #readWatch(nowMs: number, isStart: boolean): Promise<void> {
    const sites = await listWatchedSites(drizzle({ client: this.#pool }), this.#usdot);
    const loads = await readWatchedLoads(this.#pool, this.#usdot);
    const past = isStart ? await readLastMinutes(this.#pool, this.#usdot, nowMs) : null;
    const visits = await readWatchedVisits(this.#pool, this.#usdot, past?.fromMs ?? nowMs);
    const config = { sites, rules: [], tags: {}, loads };
    this.#watch.start({ config, visits, alerts: [], ...(isStart && { past }) });
  }

  /** A poll that brought these units; null: it failed. Of an own fleet with the revision of its store. */
  async poll(
    units: readonly TrackedUnit[] | null,
    seenMs: number,
    revision: number | null = null,
  ): Promise<void> {
    const usdot = this.#usdot;
    const state = units === null ? ('failing' as const) : ('answered' as const);
    if (units) this.#tracker.observe(units, ROSTER, seenMs);
    const rows = this.#tracker.copyRows();
    const changes = units && this.#tracker.takeChanges(rows);
    const renamed = this.#tracker.takeRenamed();
    const failure = units === null ? 'network' : null;
    const watched = this.#watch.observe(rows, { seenMs, failure, renamed });
    const last = await readLastCoverage(this.#pool, usdot);
    const coverage = extendCoverage(
      last,
      { atMs: seenMs, state, problem: failure },
      { gapMs: GAP_MS, isFirst: this.#isFirst },
    );
    this.#isFirst = false;
    await this.#history.write({ usdot, seenMs, changes, coverage, statusCounts: null, revision, ...watched });
  }
}
