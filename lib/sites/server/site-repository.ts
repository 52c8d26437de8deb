import 'server-only';
import { and, asc, eq, not, or, sql } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { sites } from './tables';
import type { Site, SiteInput } from '@/lib/rules/site';

/** One change of a fleet's sites at a time: with a hash of the USDOT number. */
const SITES_LOCK = 0x53495445;
/** PostgreSQL takes at most 65,535 parameters, and a site has twelve. */
const SITES_A_STATEMENT = 1000;

const { id, name, kind, color, notes, openingHours, marginM, shape } = sites;
/** The columns of a Site. */
const SITE = { id, name, kind, color, notes, openingHours, marginM, shape };

/** Serializes the changes of a fleet's sites until the end of the transaction, so that names and their number hold. */
export const lockSites = async (tx: Executor, usdot: string): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${SITES_LOCK}, hashtext(${usdot}))`);
};

/** The sites that users manage of a fleet, in the order in which they were added. */
export const listSites = (orm: Executor, usdot: string): Promise<Site[]> =>
  orm
    .select(SITE)
    .from(sites)
    .where(and(eq(sites.usdot, usdot), not(sites.isOfLoad)))
    .orderBy(asc(id));

/** Whether the circle of a stop is still watched: its load is under way, or a unit is there. */
const IS_STOP_WATCHED = sql`(
  EXISTS (SELECT 1 FROM linehaul.load_stops s JOIN linehaul.loads l ON l.id = s.load_id
    WHERE s.site_id = ${id} AND l.ended_ms IS NULL)
  OR EXISTS (SELECT 1 FROM linehaul.site_visits v WHERE v.site_id = ${id} AND v.left_ms IS NULL))`;

/** All sites of a fleet that visits are found for: the stops of loads that are under way, too. */
export const listWatchedSites = (orm: Executor, usdot: string): Promise<Site[]> =>
  orm
    .select({ ...SITE, isOfLoad: sites.isOfLoad })
    .from(sites)
    .where(and(eq(sites.usdot, usdot), or(not(sites.isOfLoad), IS_STOP_WATCHED)))
    .orderBy(asc(id));

/** Null: the fleet has no such site. */
export const readSite = async (orm: Executor, usdot: string, siteId: number): Promise<Site | null> => {
  const [site] = await orm
    .select(SITE)
    .from(sites)
    .where(and(eq(sites.usdot, usdot), eq(id, siteId), not(sites.isOfLoad)));
  return site ?? null;
};

/** Adds sites, and changes those that have the same name; returns them all. */
export const upsertSites = async (
  tx: Executor,
  usdot: string,
  inputs: readonly SiteInput[],
  { madeBy, nowMs }: { madeBy: string; nowMs: number },
): Promise<Site[]> => {
  const now = new Date(nowMs);
  const written: Site[] = [];
  for (let from = 0; from < inputs.length; from += SITES_A_STATEMENT) {
    const rows = inputs
      .slice(from, from + SITES_A_STATEMENT)
      .map((input) => ({ ...input, usdot, madeBy, createdAt: now, updatedAt: now }));
    const returned = await tx
      .insert(sites)
      .values(rows)
      .onConflictDoUpdate({
        target: [sites.usdot, sites.name],
        set: {
          kind: sql`excluded.kind`,
          color: sql`excluded.color`,
          notes: sql`excluded.notes`,
          openingHours: sql`excluded.opening_hours`,
          marginM: sql`excluded.margin_m`,
          shape: sql`excluded.shape`,
          updatedAt: now,
        },
      })
      .returning(SITE);
    written.push(...returned);
  }
  return written;
};

export const updateSite = async (
  tx: Executor,
  usdot: string,
  { id: siteId, ...input }: Site,
  nowMs: number,
): Promise<void> => {
  await tx
    .update(sites)
    .set({ ...input, updatedAt: new Date(nowMs) })
    .where(and(eq(sites.usdot, usdot), eq(id, siteId)));
};

/** Removes a site and its visits. */
export const deleteSite = async (tx: Executor, usdot: string, siteId: number): Promise<void> => {
  await tx.delete(sites).where(and(eq(sites.usdot, usdot), eq(id, siteId)));
};
