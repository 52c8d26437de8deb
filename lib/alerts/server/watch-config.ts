import 'server-only';
import type { Database } from '@/lib/database/database';
import { listSites } from '@/lib/sites/server/site-repository';
import { readWatchedVisits } from '@/lib/recording/visit-repository';
import { listTags } from '@/lib/tags/server/tags';
import type { LastMinutes, WatchConfig, WatchStart } from '@/lib/rules/fleet-watch';
import { readHeldAlerts } from '@/lib/recording/alert-writer';
import { listEnabledRules } from './rule-repository';

/** The sites, rules and tags of a fleet's watch: without a recording its sites alone. */
export const readWatchConfig = async (
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
export const readWatch = async (
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
