import 'server-only';
import { RULES_LOCK } from '@/lib/recording/alert-writer';
import { and, asc, count, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { alertKnownCases, alertRules, alerts } from './tables';
import { sites } from '@/lib/sites/server/tables';
import type { AlertRule, AlertRuleInput, WatchedRule } from '@/lib/rules/alert-rule';

const { id, name, condition, units, schedule, severity, coolDownMin, isEnabled, ownerId, madeBy, newFromMs } =
  alertRules;
/** The columns of an AlertRule. */
const RULE = {
  ...{ id, name, condition, units, schedule, severity, coolDownMin, isEnabled, madeBy, newFromMs },
  isOwn: sql<boolean>`${ownerId} is not null`,
};

const isOwnerless = isNull(ownerId);
/** The rules of a fleet that a user may see: those for all, and the user's own. */
const isVisible = (usdot: string, userId: string | null) =>
  and(eq(alertRules.usdot, usdot), userId === null ? isOwnerless : or(isOwnerless, eq(ownerId, userId)));

/** Serializes the changes of a fleet's rules until the end of the transaction, so that their number holds. */
export const lockRules = async (tx: Executor, usdot: string): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${RULES_LOCK}, hashtext(${usdot}))`);
};

/** The rules of a fleet that a user may see, by name. */
export const listRules = (orm: Executor, usdot: string, userId: string | null): Promise<AlertRule[]> =>
  orm
    .select(RULE)
    .from(alertRules)
    .where(isVisible(usdot, userId))
    .orderBy(asc(sql`lower(${name})`), asc(id));

/** The rules of a fleet that are judged, of all users. */
export const listEnabledRules = (orm: Executor, usdot: string): Promise<WatchedRule[]> =>
  orm
    .select({ ...RULE, knownFromMs: alertRules.knownFromMs })
    .from(alertRules)
    .where(and(eq(alertRules.usdot, usdot), isEnabled))
    .orderBy(asc(id));

/** Null: there is none that the user may see. */
export const readRule = async (
  orm: Executor,
  usdot: string,
  ruleId: number,
  userId: string | null,
): Promise<AlertRule | null> => {
  const [rule] = await orm
    .select(RULE)
    .from(alertRules)
    .where(and(isVisible(usdot, userId), eq(id, ruleId)));
  return rule ?? null;
};

export const countRules = async (
  tx: Executor,
  usdot: string,
  userId: string | null,
): Promise<{ all: number; own: number }> => {
  const [row] = await tx
    .select({ all: count(), own: sql<number>`count(*) filter (where ${ownerId} = ${userId})::int` })
    .from(alertRules)
    .where(eq(alertRules.usdot, usdot));
  return row!;
};

export const insertRule = async (
  tx: Executor,
  usdot: string,
  { isOwn: _, isNewOnly = false, ...rule }: AlertRuleInput,
  { nowMs, ...made }: { ownerId: string | null; madeBy: string; madeById: string | null; nowMs: number },
): Promise<AlertRule> => {
  const now = new Date(nowMs);
  const [inserted] = await tx
    .insert(alertRules)
    .values({ ...rule, ...made, usdot, createdAt: now, updatedAt: now, newFromMs: isNewOnly ? nowMs : null })
    .returning(RULE);
  return inserted!;
};

export const updateRule = async (
  tx: Executor,
  { id: ruleId, isOwn: _, madeBy: _madeBy, ...rule }: AlertRule,
  nowMs: number,
): Promise<void> => {
  await tx
    .update(alertRules)
    .set({ ...rule, updatedAt: new Date(nowMs) })
    .where(eq(id, ruleId));
};

/** Its alerts stay. */
export const deleteRule = async (tx: Executor, ruleId: number): Promise<void> => {
  await tx.delete(alertRules).where(eq(id, ruleId));
};

/** Closes the open alerts of a rule that is not evaluated any more, and forgets its known cases. */
export const closeAlertsOfRule = async (tx: Executor, ruleId: number, nowMs: number): Promise<void> => {
  await tx
    .update(alerts)
    .set({ closedMs: nowMs })
    .where(and(eq(alerts.ruleId, ruleId), isNull(alerts.closedMs)));
  await forgetKnownCases(tx, ruleId, { areByHand: true });
};

/** Cases that held when the rule was saved open an alert again, and those that were closed by hand only if `areByHand`. */
export const forgetKnownCases = async (
  tx: Executor,
  ruleId: number,
  { areByHand }: { areByHand: boolean },
): Promise<void> => {
  const { isByHand } = alertKnownCases;
  await tx
    .delete(alertKnownCases)
    .where(and(eq(alertKnownCases.ruleId, ruleId), areByHand ? undefined : eq(isByHand, false)));
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
  return new Map(rows.map((site) => [site.id, site.name]));
};
