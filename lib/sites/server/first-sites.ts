import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { sites } from './tables';
import type { SiteNames } from '@/lib/view/search';
import type { ActionContext } from '@/lib/audit/audit';
import type { Log } from '@/lib/base/log';
import type { Fleet } from '@/lib/wire/fleet';
import { toSiteNames } from '../site-table';

/** A page does not wait longer for the names of sites: without them the browser reads them. */
const WAIT_MS = 150;

/** The names of a fleet's sites for the HTML of its pages; null where no unit is at one, and where they are not there at once. */
export const readFirstSites = async (
  { database, log }: Pick<ActionContext, 'database'> & { log: Log },
  { usdot, columns }: Pick<Fleet, 'usdot' | 'columns'>,
): Promise<SiteNames | null> => {
  if (!columns.siteId.some((id) => id !== 0)) return null;
  const read = async (): Promise<SiteNames | null> => {
    try {
      const { orm } = await database.open();
      return toSiteNames(
        await orm.select({ id: sites.id, name: sites.name }).from(sites).where(eq(sites.usdot, usdot)),
      );
    } catch (error) {
      log.warn({ reason: String(error) }, 'A page is sent without the names of its sites.');
      return null;
    }
  };
  return Promise.race([read(), delay(WAIT_MS, null)]);
};
