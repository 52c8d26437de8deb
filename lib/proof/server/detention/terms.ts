import 'server-only';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { ActionContext } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { changeLoads, type LoadContext } from '@/lib/loads/server/loads';
import { loads } from '@/lib/loads/server/tables';
import { sites } from '@/lib/sites/server/tables';
import type { ListedTerms } from '../../detention';
import type { KeptTerms, KeptTermsInput } from '../../terms';
import { detentionTerms } from './tables';

const { of, customer, siteId, loadId, freeMin, countedFrom, rateCents, stepMin, capCents } = detentionTerms;
const TERMS = { of, customer, siteId, loadId, freeMin, countedFrom, rateCents, stepMin, capCents };

/** All terms of a fleet. */
export const readTerms = (orm: Executor, usdot: string): Promise<KeptTerms[]> =>
  orm
    .select(TERMS)
    .from(detentionTerms)
    .where(eq(detentionTerms.usdot, usdot))
    .orderBy(asc(detentionTerms.key));

/** The terms of a fleet with the names of what they are for. Who sees some trucks alone sees none of customers and loads. */
export const listTerms = async (
  { database, viewer }: Pick<ActionContext, 'database' | 'viewer'>,
  usdot: string,
): Promise<{ terms: ListedTerms[] }> => {
  const { orm } = await database.open();
  const terms = await orm
    .select({ ...TERMS, name: sql<string>`coalesce(${sites.name}, ${loads.reference}, ${customer}, '')` })
    .from(detentionTerms)
    .leftJoin(sites, eq(sites.id, siteId))
    .leftJoin(loads, eq(loads.id, loadId))
    .where(
      and(
        eq(detentionTerms.usdot, usdot),
        viewer.tags === null ? undefined : inArray(detentionTerms.of, ['fleet', 'site']),
      ),
    )
    .orderBy(asc(detentionTerms.key));
  return { terms };
};

const toKey = (input: KeptTermsInput): string =>
  [input.of, input.customer?.toLowerCase() ?? input.siteId ?? input.loadId]
    .filter((part) => part !== null)
    .join(':');

/** @throws AppError 'unknown-site', 'unknown-load' */
const requireSubject = async (tx: Executor, usdot: string, input: KeptTermsInput): Promise<string> => {
  if (input.siteId !== null) {
    const [site] = await tx
      .select({ name: sites.name })
      .from(sites)
      .where(and(eq(sites.usdot, usdot), eq(sites.id, input.siteId), eq(sites.isOfLoad, false)))
      .for('key share');
    if (!site) throw new AppError('unknown-site');
    return site.name;
  }
  if (input.loadId !== null) {
    const [load] = await tx
      .select({ reference: loads.reference })
      .from(loads)
      .where(and(eq(loads.usdot, usdot), eq(loads.id, input.loadId)))
      .for('key share');
    if (!load) throw new AppError('unknown-load');
    return load.reference;
  }
  return input.customer ?? 'All';
};

/**
 * Sets or removes terms, by which loads under way are judged from then on. Statements that were issued stay as they are. @throws
 * AppError 'unknown-site', 'unknown-load'
 */
export const changeTerms = (context: LoadContext, usdot: string, input: KeptTermsInput): Promise<void> =>
  changeLoads(context, 'detention-terms.change', usdot, async (tx, record) => {
    const subject = await requireSubject(tx, usdot, input);
    const key = toKey(input);
    const mine = and(eq(detentionTerms.usdot, usdot), eq(detentionTerms.key, key));
    const [before] = await tx.select(TERMS).from(detentionTerms).where(mine).for('update');
    if (input.terms === null) {
      if (!before) return;
      await tx.delete(detentionTerms).where(mine);
    } else {
      const set = {
        ...input.terms,
        madeBy: context.viewer.email ?? context.viewer.name,
        updatedAt: new Date(context.clock.nowMs()),
      };
      const about = { customer: input.customer, siteId: input.siteId, loadId: input.loadId };
      await tx
        .insert(detentionTerms)
        .values({ usdot, key, of: input.of, ...about, ...set })
        .onConflictDoUpdate({ target: [detentionTerms.usdot, detentionTerms.key], set });
    }
    // Browsers read the loads again, whose free time may have changed.
    await tx
      .update(loads)
      .set({ updatedAt: new Date(context.clock.nowMs()) })
      .where(and(eq(loads.usdot, usdot), isNull(loads.endedMs)));
    await record(subject, { usdot, of: input.of, before: before ?? null, after: input.terms });
  });
