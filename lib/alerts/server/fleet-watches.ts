import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { Database } from '@/lib/database/database';
import type { LastMinutes, WatchStart, WatchConfig } from '@/lib/rules/fleet-watch';
import type { StartParts } from '@/lib/feeds/feed/feed';
import { listWatchedSites } from '@/lib/sites/server/site-repository';
import { readWatchedVisits } from '@/lib/recording/visit-repository';
import { listTags } from '@/lib/tags/server/tags';
import { readHeldAlerts } from '@/lib/recording/alert-writer';
import { readWatchedLoads } from '@/lib/recording/load-writer';
import { listEnabledRules } from './rule-repository';

/** The sites, rules, tags and loads of a fleet's watch: without a recording its sites alone. */
const readWatchConfig = async (
  { orm, pool }: Database,
  usdot: string,
  isRecorded: boolean,
): Promise<WatchConfig> => {
  const sites = await listWatchedSites(orm, usdot);
  if (!isRecorded) return { sites, rules: [], tags: {} };
  const [rules, tags, loads] = await Promise.all([
    listEnabledRules(orm, usdot),
    listTags(orm, usdot, { tags: null }),
    readWatchedLoads(pool, usdot),
  ]);
  return { sites, rules, tags: Object.fromEntries(tags.map(({ tag, units }) => [tag, units])), loads };
};

/** A fleet's watch, what is open of it, and the end of its recording: what is open is read after what it is open by. */
const readWatch = async (
  database: Database,
  usdot: string,
  { nowMs, readPast }: { nowMs: number; readPast: () => Promise<LastMinutes | null> },
): Promise<WatchStart> => {
  const { pool } = database;
  const config = await readWatchConfig(database, usdot, true);
  const isWatched = config.sites.length + config.rules.length > 0;
  const past = isWatched ? await readPast() : null;
  const fromMs = past?.fromMs ?? nowMs;
  const [visits, alerts] = await Promise.all([
    readWatchedVisits(pool, usdot, fromMs),
    readHeldAlerts(pool, usdot, fromMs),
  ]);
  return { config, visits, alerts, past };
};

interface FleetWatchesOptions {
  /** @throws if the database cannot be opened */
  open: () => Promise<Database>;
  /** Null without a recording: then there are sites alone. */
  recording: {
    /** Resolves once all that feeds found of a fleet is written. @throws while it cannot be */
    settle: (usdot: string) => Promise<void>;
    /** Reads the end of a fleet's recording; null where there is none. Must not reject. */
    readLastMinutes: (usdot: string) => Promise<LastMinutes | null>;
  } | null;
  /** Has the feed of a fleet read its watch again. */
  reload: (usdot: string) => void;
  clock: Clock;
  log: { warn: (fields: object, message: string) => void };
}

const RETRY_MS = 10_000;
/** A watch is read at most so often: while it is read nothing is judged, and programs may change load after load. */
const LEAST_APART_MS = 1000;

/** The watches of the feeds: read when a feed starts, and again after each change. */
export class FleetWatches {
  readonly #options: FleetWatchesOptions;
  /** The fleets whose watch was read again just now; true: it was changed since. */
  readonly #reloaded = new Map<string, boolean>();
  /** The fleets that are tried again in some seconds. */
  readonly #failed = new Set<string>();
  #isClosed = false;

  constructor(options: FleetWatchesOptions) {
    this.#options = options;
  }

  /** What a feed watches, and what is open of it; null while that cannot be read, and the feed reads it again later. Never rejects. */
  async read(usdot: string, parts: StartParts = 'all'): Promise<WatchStart | null> {
    const { open, recording, clock, log } = this.#options;
    try {
      // What is open and not yet written would be opened again, and a recording that is being made has no sites yet.
      await recording?.settle(usdot);
      const database = await open();
      if (recording === null)
        return { config: await readWatchConfig(database, usdot, false), visits: null, alerts: [] };
      const readPast = async () => (parts === 'watch-again' ? null : recording.readLastMinutes(usdot));
      return await readWatch(database, usdot, { nowMs: clock.nowMs(), readPast });
    } catch (error) {
      if (this.#isClosed) return null;
      log.warn(
        { usdot, reason: String(error) },
        'The sites and the alert rules of a fleet cannot be read; trying again.',
      );
      this.#tryAgain(usdot);
      return null;
    }
  }

  #tryAgain(usdot: string): void {
    if (this.#failed.has(usdot)) return;
    this.#failed.add(usdot);
    this.#options.clock.setTimer(() => {
      this.#failed.delete(usdot);
      this.reload(usdot);
    }, RETRY_MS);
  }

  /** From now on a failure is final. */
  close(): void {
    this.#isClosed = true;
  }

  /** Reads it again after a change of sites, rules, tags, loads or alerts: at once, and after several changes once more. */
  reload(usdot: string): void {
    if (this.#isClosed) return;
    if (this.#reloaded.has(usdot)) return void this.#reloaded.set(usdot, true);
    this.#reloaded.set(usdot, false);
    this.#options.reload(usdot);
    this.#options.clock.setTimer(() => {
      const isChanged = this.#reloaded.get(usdot);
      this.#reloaded.delete(usdot);
      if (isChanged) this.reload(usdot);
    }, LEAST_APART_MS);
  }
}
