import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import type { Viewer } from '@/lib/base/viewer';
import { change, listChanges, type ActionContext, type RecordAction } from '@/lib/audit/audit';
import type { AuditAction } from '@/lib/audit/schema';
import { changeAsManager } from '@/lib/users/server/user-scope';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';
import { requireKnownTags } from '@/lib/tags/server/known-tags';
import { MAX_OWN_RULES, MAX_RULES, type AlertRuleChange } from '../schema';
import type { AlertCondition, AlertRule, AlertRuleInput } from '@/lib/rules/alert-rule';
import { ruleText } from '../text';
import {
  closeAlertsOfRule,
  forgetKnownCases,
  countRules,
  deleteRule,
  insertRule,
  listRules,
  lockRules,
  readRule,
  readSiteNames,
  updateRule,
} from './rule-repository';

/** A request about the rules of a fleet; `watch` has the feed of the fleet read them again, where one judges by them. */
export type RuleContext = ActionContext & { watch?: { reload: (usdot: string) => void } };

/** The user whose own rules and alerts a viewer sees; null for the demo, which has none. */
export const toOwnerId = ({ kind, id }: Viewer): string | null => (kind === 'user' ? id : null);

/** The id of a rule or an alert in an address; null where it is none. */
export const toId = (text: string, digits = 15): number | null =>
  new RegExp(`^\\d{1,${digits}}$`).test(text) ? Number(text) : null;

const siteIdsOf = (condition: AlertCondition): number[] =>
  ('siteIds' in condition ? condition.siteIds : null) ?? [];

/** A rule as a sentence. @throws AppError 'bad-input' for a site that the fleet does not have */
export const requireText = async (
  tx: Executor,
  usdot: string,
  rule: Pick<AlertRule, 'condition' | 'units' | 'schedule'>,
): Promise<string> => {
  const ids = siteIdsOf(rule.condition);
  const names = await readSiteNames(tx, usdot, ids);
  const isUnknown = ids.some((id) => !names.has(id));
  const message = 'The fleet has no such site any more. Choose its sites again.';
  if (isUnknown)
    throw new AppError('bad-input', { detail: message, faults: [{ field: 'condition.siteIds', message }] });
  return ruleText(rule, { site: (id) => names.get(id) ?? null, unit: () => null });
};

/** @throws AppError 'bad-input' for a tag that neither a truck of the fleet nor the rule before has */
export const requireTags = async (
  tx: Executor,
  usdot: string,
  viewer: Viewer,
  units: AlertRule['units'],
  before: AlertRule['units'] = { type: 'all' },
): Promise<void> => {
  if (units.type !== 'tags') return;
  const held = before.type === 'tags' ? before.tags : [];
  await requireKnownTags(tx, [usdot], viewer, { field: 'units.tags', tags: units.tags, before: held });
};

/** Runs a change of rules, after which the fleet is evaluated by them: a manager's own right is locked with it. */
const changeRules = async <T>(
  context: RuleContext,
  action: AuditAction,
  { usdot, isOwn }: { usdot: string; isOwn: boolean },
  work: (tx: Executor, record: RecordAction) => Promise<T>,
): Promise<T> => {
  const run = async (tx: Executor, record: RecordAction): Promise<T> => {
    // A tag or a unit that is renamed meanwhile is renamed in the rule.
    await lockFleet(tx, usdot);
    await lockRules(tx, usdot);
    return work(tx, record);
  };
  const result = isOwn
    ? await change(context, action, run)
    : await changeAsManager(context, action, [usdot], run);
  context.watch?.reload(usdot);
  return result;
};

/** The rules of a fleet and the viewer's own, by name. */
export const listFleetRules = async (
  { database, viewer }: Pick<RuleContext, 'database' | 'viewer'>,
  usdot: string,
): Promise<{ rules: AlertRule[] }> => ({
  rules: await listRules((await database.open()).orm, usdot, toOwnerId(viewer)),
});

const requireRoom = async (tx: Executor, usdot: string, ownerId: string | null): Promise<void> => {
  const { all, own } = await countRules(tx, usdot, ownerId);
  if (all >= MAX_RULES) throw new AppError('too-many-rules');
  if (ownerId !== null && own >= MAX_OWN_RULES)
    throw new AppError('too-many-rules', {
      detail: `You have ${MAX_OWN_RULES} rules of your own, which is the most.`,
    });
};

/** @throws AppError 'managers-only', 'demo-has-no-users', 'bad-input', 'too-many-rules', 'accounts-unavailable' */
export const addRule = async (
  context: RuleContext,
  usdot: string,
  input: AlertRuleInput,
): Promise<AlertRule> => {
  const { viewer, clock } = context;
  const { isOwn } = input;
  const ownerId = isOwn ? toOwnerId(viewer) : null;
  if (isOwn && ownerId === null)
    throw new AppError('demo-has-no-users', {
      detail: 'The demo has no users, so its rules are for the whole fleet.',
    });
  if (!isOwn && viewer.role !== 'manager') throw new AppError('managers-only');
  return changeRules(context, 'alert-rule.add', { usdot, isOwn }, async (tx, record) => {
    const rule = await requireText(tx, usdot, input);
    await requireTags(tx, usdot, viewer, input.units);
    await requireRoom(tx, usdot, ownerId);
    const made = { ownerId, madeBy: viewer.name, madeById: toOwnerId(viewer), nowMs: clock.nowMs() };
    const added = await insertRule(tx, usdot, input, made);
    const isNewOnly = added.newFromMs != null;
    await record(input.name, { usdot, id: added.id, rule, ...(isNewOnly && { isNewOnly }) });
    return added;
  });
};

/** Changes or removes a rule that the viewer may. @throws AppError 'unknown-rule', 'managers-only' */
const withRule = async <T>(
  context: RuleContext,
  action: AuditAction,
  { usdot, ruleId }: { usdot: string; ruleId: string },
  work: (tx: Executor, rule: AlertRule, record: RecordAction) => Promise<T>,
): Promise<T> => {
  const { database, viewer } = context;
  const id = toId(ruleId, 9);
  const read = (orm: Executor) => (id === null ? null : readRule(orm, usdot, id, toOwnerId(viewer)));
  const known = await read((await database.open()).orm);
  if (known === null) throw new AppError('unknown-rule');
  if (!known.isOwn && viewer.role !== 'manager') throw new AppError('managers-only');
  return changeRules(context, action, { usdot, isOwn: known.isOwn }, async (tx, record) => {
    const rule = await read(tx);
    if (rule === null) throw new AppError('unknown-rule');
    return work(tx, rule, record);
  });
};

/** The fields of a rule by which a case holds or does not. */
const JUDGED = ['condition', 'units'] as const;
/** The fields of a rule in the audit log besides its sentence. */
const LOGGED = ['name', 'severity', 'coolDownMin', 'isEnabled'] as const;

/** @throws AppError 'unknown-rule', 'managers-only', 'bad-input', 'accounts-unavailable' */
export const changeRule = (
  context: RuleContext,
  usdot: string,
  ruleId: string,
  input: AlertRuleChange,
): Promise<AlertRule> =>
  withRule(context, 'alert-rule.change', { usdot, ruleId }, async (tx, before, record) => {
    const { isNewOnly, ...changed } = input;
    const nowMs = context.clock.nowMs();
    const after: AlertRule = { ...before, ...changed };
    if (isNewOnly !== undefined) after.newFromMs = isNewOnly ? nowMs : null;
    // The known cases are those of the rule as it was.
    else if (
      after.newFromMs != null &&
      JUDGED.some((field) => !isDeepStrictEqual(before[field], after[field]))
    )
      after.newFromMs = nowMs;
    if (!after.isEnabled) after.newFromMs = null;
    const rule = await requireText(tx, usdot, after);
    await requireTags(tx, usdot, context.viewer, after.units, before.units);
    await updateRule(tx, after, nowMs);
    // A case that was closed by hand goes on, but not under another condition.
    const isOther = !isDeepStrictEqual(before.condition, after.condition);
    if (isOther || after.newFromMs !== before.newFromMs)
      await forgetKnownCases(tx, after.id, { areByHand: isOther });
    if (!after.isEnabled) await closeAlertsOfRule(tx, after.id, nowMs);
    const details = { usdot, id: after.id, rule, ...listChanges(before, after, LOGGED) };
    await record(after.name, { ...details, ...(isNewOnly && { isNewOnly }) });
    return after;
  });

/** Removes a rule and closes its alerts, which stay. @throws AppError 'unknown-rule', 'managers-only' */
export const removeRule = (context: RuleContext, usdot: string, ruleId: string): Promise<void> =>
  withRule(context, 'alert-rule.remove', { usdot, ruleId }, async (tx, { id, name }, record) => {
    await closeAlertsOfRule(tx, id, context.clock.nowMs());
    await deleteRule(tx, id);
    await record(name, { usdot, id });
  });
