import 'server-only';
import { RULES_LOCK } from '@/lib/recording/alert-writer';
import { and, asc, count, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { alertRules, alerts } from './tables';
import { sites } from '@/lib/sites/server/tables';
import type { AlertRule, AlertRuleInput } from '@/lib/rules/alert-rule';

const toRule = (row: typeof alertRules.$inferSelect): AlertRule => ({
  id: row.id,
  name: row.name,
  condition: row.condition as AlertRule['condition'],
  units: row.units as AlertRule['units'],
  schedule: row.schedule as AlertRule['schedule'],
  severity: row.severity,
  coolDownMin: row.coolDownMin,
  isEnabled: row.isEnabled,
  isOwn: row.ownerId !== null,
  madeBy: row.madeBy,
});

const isOwnerless = isNull(alertRules.ownerId);
/** The rules of a fleet that a user may see: those for all, and the user's own. */
const isVisible = (usdot: string, userId: string | null) =>
  and(
    eq(alertRules.usdot, usdot),
    userId === null ? isOwnerless : or(isOwnerless, eq(alertRules.ownerId, userId)),
  );

/** Serializes the changes of a fleet's rules until the end of the transaction, so that their number holds. */
export const lockRules = async (tx: Executor, usdot: string): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${RULES_LOCK}, hashtext(${usdot}))`);
};

/** The rules of a fleet that a user may see, by name. */
export const listRules = async (orm: Executor, usdot: string, userId: string | null): Promise<AlertRule[]> =>
  (
    await orm
      .select()
      .from(alertRules)
      .where(isVisible(usdot, userId))
      .orderBy(asc(sql`lower(${alertRules.name})`), asc(alertRules.id))
  ).map(toRule);

/** The rules of a fleet that are judged, of all users. */
export const listEnabledRules = async (orm: Executor, usdot: string): Promise<AlertRule[]> =>
  (
    await orm
      .select()
      .from(alertRules)
      .where(and(eq(alertRules.usdot, usdot), alertRules.isEnabled))
      .orderBy(asc(alertRules.id))
  ).map(toRule);

/** Null: there is none that the user may see. */
export const readRule = async (
  orm: Executor,
  usdot: string,
  id: number,
  userId: string | null,
): Promise<AlertRule | null> => {
  const [row] = await orm
    .select()
    .from(alertRules)
    .where(and(isVisible(usdot, userId), eq(alertRules.id, id)));
  return row === undefined ? null : toRule(row);
};

export const countRules = async (
  tx: Executor,
  usdot: string,
  userId: string | null,
): Promise<{ all: number; own: number }> => {
  const [row] = await tx
    .select({
      all: count(),
      own: sql<number>`count(*) filter (where ${alertRules.ownerId} = ${userId})::int`,
    })
    .from(alertRules)
    .where(eq(alertRules.usdot, usdot));
  return row!;
};

export const insertRule = async (
  tx: Executor,
  usdot: string,
  { isOwn: _, ...rule }: AlertRuleInput,
  { nowMs, ...made }: { ownerId: string | null; madeBy: string; madeById: string | null; nowMs: number },
): Promise<AlertRule> => {
  const now = new Date(nowMs);
  const [row] = await tx
    .insert(alertRules)
    .values({ ...rule, ...made, usdot, createdAt: now, updatedAt: now })
    .returning();
  return toRule(row!);
};

export const updateRule = async (
  tx: Executor,
  { id, isOwn: _, madeBy: _madeBy, ...rule }: AlertRule,
  nowMs: number,
): Promise<void> => {
  await tx
    .update(alertRules)
    .set({ ...rule, updatedAt: new Date(nowMs) })
    .where(eq(alertRules.id, id));
};

/** Its alerts stay. */
export const deleteRule = async (tx: Executor, id: number): Promise<void> => {
  await tx.delete(alertRules).where(eq(alertRules.id, id));
};

/** Closes the open alerts of a rule that is not evaluated any more. */
export const closeAlertsOfRule = async (tx: Executor, ruleId: number, nowMs: number): Promise<void> => {
  await tx
    .update(alerts)
    .set({ closedMs: nowMs })
    .where(and(eq(alerts.ruleId, ruleId), isNull(alerts.closedMs)));
};

/** The names of those of the sites that the fleet has, by id. */
export const readSiteNames = async (
  orm: Executor,
  usdot: string,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await orm
    .select({ id: sites.id, name: sites.name })
    .from(sites)
    .where(and(eq(sites.usdot, usdot), inArray(sites.id, [...ids])));
  return new Map(rows.map(({ id, name }) => [id, name]));
};
