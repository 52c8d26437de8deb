import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import { change, type ActionContext, type RecordAction } from '@/lib/audit/audit';
import type { AuditAction } from '@/lib/audit/schema';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { endRemovedShares } from '@/lib/recording/share-writer';
import { formatWhole } from '@/lib/view/format';
import { planImport } from '../files/plan';
import { MAX_FLEET_CORNERS, MAX_SITES, type ImportedSite, type SiteChange } from '../schema';
import type { Site, SiteInput } from '@/lib/rules/site';
import { shapeText, siteChanges } from '../text';
import { startScans } from './site-scans';
import { deleteSite, listSites, lockSites, readSite, updateSite, upsertSites } from './site-repository';
import type { ImportedCounts } from '../answers';

/** A request about the sites of a fleet, which a feed judges visits by, and which are searched for in the recording. */
export type SiteContext = ActionContext & {
  history: object | null;
  watch?: { reload: (usdot: string) => void };
};

const toMaker = ({ viewer, clock }: SiteContext) => ({
  madeBy: viewer.email ?? viewer.name,
  nowMs: clock.nowMs(),
});

/** A site that has another edge than before has other visits. */
const hasMoved = (before: Site | undefined, after: Site): boolean =>
  before === undefined || before.marginM !== after.marginM || !isDeepStrictEqual(before.shape, after.shape);

/** Searches the recording for the visits to sites that are new or were moved; where fleets are not recorded there are none. */
const findPastVisits = async (
  { history, clock }: SiteContext,
  usdot: string,
  ids: readonly number[],
  tx: Executor,
): Promise<void> => {
  if (history !== null) await startScans(tx, usdot, ids, clock.nowMs());
};

/** The id of a site in an address. @throws AppError 'unknown-site' */
export const requireSiteId = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new AppError('unknown-site');
  return Number(text);
};

/** The sites of a fleet. A wall screen does not get the notes, which may hold the code of a gate. */
export const listFleetSites = async (
  { database, viewer }: Pick<ActionContext, 'database' | 'viewer'>,
  usdot: string,
): Promise<{ sites: Site[] }> => {
  const sites = await listSites((await database.open()).orm, usdot);
  return { sites: viewer.kind === 'screen' ? sites.map((site) => ({ ...site, notes: '' })) : sites };
};

/** Changes the sites of a fleet in one transaction with the audit record; from its end on, visits are judged by them. */
const changeSites = async <T>(
  context: SiteContext,
  action: AuditAction,
  usdot: string,
  work: (tx: Executor, record: RecordAction) => Promise<T>,
): Promise<T> => {
  const result = await change(context, action, async (tx, record) => {
    await lockSites(tx, usdot);
    return work(tx, record);
  });
  context.watch?.reload(usdot);
  return result;
};

const requireSite = async (tx: Executor, usdot: string, id: number): Promise<Site> => {
  const site = await readSite(tx, usdot, id);
  if (site === null) throw new AppError('unknown-site');
  return site;
};

const requireFree = (existing: readonly Site[], name: string): void => {
  if (existing.some((site) => site.name === name)) throw new AppError('site-name-taken');
};

const countCorners = ({ shape }: SiteInput): number => (shape.type === 'circle' ? 0 : shape.corners.length);

/** All sites of a fleet are one answer, which every browser of the fleet loads. */
const requireRoom = (sites: readonly SiteInput[]): void => {
  if (sites.length > MAX_SITES) throw new AppError('too-many-sites');
  const corners = sites.reduce((sum, site) => sum + countCorners(site), 0);
  if (corners <= MAX_FLEET_CORNERS) return;
  throw new AppError('too-many-sites', {
    detail: `The polygons of a fleet have at most ${formatWhole(MAX_FLEET_CORNERS)} corners together.`,
  });
};

/** @throws AppError 'site-name-taken', 'too-many-sites' */
export const addSite = (context: SiteContext, usdot: string, input: SiteInput): Promise<Site> =>
  changeSites(context, 'site.add', usdot, async (tx, record) => {
    const existing = await listSites(tx, usdot);
    requireFree(existing, input.name);
    requireRoom([...existing, input]);
    const [site] = await upsertSites(tx, usdot, [input], toMaker(context));
    await findPastVisits(context, usdot, [site!.id], tx);
    await record(input.name, { usdot, kind: input.kind, shape: shapeText(input.shape) });
    return site!;
  });

/** @throws AppError 'unknown-site', 'site-name-taken', 'too-many-sites' */
export const changeSite = (
  context: SiteContext,
  usdot: string,
  id: number,
  input: SiteChange,
): Promise<Site> =>
  changeSites(context, 'site.change', usdot, async (tx, record) => {
    const before = await requireSite(tx, usdot, id);
    const after: Site = { ...before, ...input };
    const changes = siteChanges(before, after);
    if (Object.keys(changes).length === 0) return before;
    const others = (await listSites(tx, usdot)).filter((site) => site.id !== id);
    requireFree(others, after.name);
    requireRoom([...others, after]);
    await updateSite(tx, usdot, after, context.clock.nowMs());
    if (hasMoved(before, after)) await findPastVisits(context, usdot, [id], tx);
    await record(after.name, { usdot, ...changes });
    return after;
  });

/** Removes a site with its visits. @throws AppError 'unknown-site' */
export const removeSite = (context: SiteContext, usdot: string, id: number): Promise<void> =>
  changeSites(context, 'site.remove', usdot, async (tx, record) => {
    const { name, kind, shape } = await requireSite(tx, usdot, id);
    await deleteSite(tx, usdot, id);
    await endRemovedShares(tx, usdot, context.clock.nowMs());
    await record(name, { usdot, kind, shape: shapeText(shape) });
  });

/** Adds sites, and changes those of the same names: all or none. @throws AppError 'too-many-sites' */
export const importSites = (
  context: SiteContext,
  usdot: string,
  imported: readonly ImportedSite[],
): Promise<ImportedCounts> =>
  changeSites(context, 'site.import', usdot, async (tx, record) => {
    const existing = await listSites(tx, usdot);
    const planned = planImport(imported, existing);
    const count = (kind: string): number => planned.filter((each) => each.kind === kind).length;
    const counts = { added: count('added'), changed: count('changed'), unchanged: count('unchanged') };
    const imports = new Map(planned.map(({ site }) => [site.name, site]));
    requireRoom([...existing.filter(({ name }) => !imports.has(name)), ...imports.values()]);
    const written = planned.filter(({ kind }) => kind !== 'unchanged').map(({ site }) => site);
    if (written.length === 0) return counts;
    const upserted = await upsertSites(tx, usdot, written, toMaker(context));
    const known = new Map(existing.map((site) => [site.id, site]));
    const moved = upserted.filter((site) => hasMoved(known.get(site.id), site));
    await findPastVisits(
      context,
      usdot,
      moved.map(({ id }) => id),
      tx,
    );
    await record(usdot, { usdot, ...counts });
    return counts;
  });
