import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { Database } from '@/lib/database/database';
import type { LastMinutes, WatchStart, WatchConfig } from '@/lib/rules/fleet-watch';
import { listSites } from '@/lib/sites/server/site-repository';
import { readWatchedVisits } from '@/lib/recording/visit-repository';
import { listTags } from '@/lib/tags/server/tags';
import { readHeldAlerts } from '@/lib/recording/alert-writer';
import { listEnabledRules } from './rule-repository';

/** The sites, rules and tags of a fleet's watch: without a recording its sites alone. */
const readWatchConfig = async (
  { orm }: Database,
  usdot: string,
  isRecorded: boolean,
): Promise<WatchConfig> => {
  const sites = await listSites(orm, usdot);
  if (!isRecorded) return { sites, rules: [], tags: {} };
  const [rules, tags] = await Promise.all([
    listEnabledRules(orm, usdot),
    listTags(orm, usdot, { tags: null }),
  ]);
  return { sites, rules, tags: Object.fromEntries(tags.map(({ tag, units }) => [tag, units])) };
};

/** A fleet's watch, what is open of it, and the end of its recording. */
const readWatch = async (
  database: Database,
  usdot: string,
  { nowMs, readPast }: { nowMs: number; readPast: (usdot: string) => Promise<LastMinutes | null> },
): Promise<WatchStart> => {
  const { pool } = database;
  const config = await readWatchConfig(database, usdot, true);
  const isWatched = config.sites.length + config.rules.length > 0;
  const past = isWatched ? await readPast(usdot) : null;
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
  /** Reads the end of a fleet's recording; null without a recording: then there are sites alone. Must not reject. */
  readPast: ((usdot: string) => Promise<LastMinutes | null>) | null;
  /** Gives it to the feed of a fleet. */
  setWatch: (usdot: string, watch: WatchStart) => void;
  clock: Clock;
  log: { warn: (fields: object, message: string) => void };
}

const RETRY_MS = 10_000;

/** The watches of the feeds: read when a feed starts, and again after each change. */
export class FleetWatches {
  readonly #options: FleetWatchesOptions;
  /** The number of the newest read of each fleet after a change: of these, only what it gives counts. */
  readonly #reads = new Map<string, number>();
  #isClosed = false;

  constructor(options: FleetWatchesOptions) {
    this.#options = options;
  }

  /** The watch with which a feed starts; null while the database is away, and given to the feed once it is back. Never rejects. */
  async read(usdot: string, isChange = false): Promise<WatchStart | null> {
    const { open, readPast, clock, log } = this.#options;
    try {
      const database = await open();
      if (readPast && !isChange) return await readWatch(database, usdot, { nowMs: clock.nowMs(), readPast });
      const config = await readWatchConfig(database, usdot, readPast !== null);
      return { config, visits: [], alerts: [], isChange };
    } catch (error) {
      if (this.#isClosed) return null;
      log.warn(
        { usdot, reason: String(error) },
        'The sites and the alert rules of a fleet cannot be read; trying again.',
      );
      clock.setTimer(() => this.#send(usdot, isChange), RETRY_MS);
      return null;
    }
  }

  /** From now on a failure is final. */
  close(): void {
    this.#isClosed = true;
  }

  /** Reads it again after a change of sites, rules or tags. */
  reload(usdot: string): void {
    this.#send(usdot, true);
  }

  #send(usdot: string, isChange: boolean): void {
    const number = (this.#reads.get(usdot) ?? 0) + Number(isChange);
    this.#reads.set(usdot, number);
    void this.read(usdot, isChange).then((watch) => {
      const isNewest = !isChange || this.#reads.get(usdot) === number;
      if (watch !== null && isNewest) this.#options.setWatch(usdot, watch);
    });
  }
}
