import 'server-only';
import type { Database } from '@/lib/postgres/database';
import { listSites } from '@/lib/sites/server/site-repository';
import { readOpenVisits } from '@/lib/sites/server/visit-repository';
import { listTags } from '@/lib/tags/server/tags';
import type { WatchStart } from '../fleet-watch';
import { readHeldAlerts } from './alert-writer';
import { listEnabledRules } from './rule-repository';

/** The sites of a fleet alone: without a recording there are no visits and no alerts. */
export const readSitesToWatch = async ({ orm }: Database, usdot: string): Promise<WatchStart> => ({
  config: { sites: await listSites(orm, usdot), rules: [], tags: {} },
  visits: [],
  alerts: [],
});

/** What a fleet is watched for, and what is open of it. */
export const readWatch = async (
  { orm, pool }: Database,
  usdot: string,
  nowMs: number,
): Promise<WatchStart> => {
  const [sites, rules, tags, visits, alerts] = await Promise.all([
    listSites(orm, usdot),
    listEnabledRules(orm, usdot),
    listTags(orm, usdot, { tags: null }),
    readOpenVisits(pool, usdot),
    readHeldAlerts(pool, usdot, nowMs),
  ]);
  const unitsOf = Object.fromEntries(tags.map(({ tag, units }) => [tag, units]));
  return { config: { sites, rules, tags: unitsOf }, visits, alerts };
};
