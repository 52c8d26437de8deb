import 'server-only';
import type { Client, Viewer } from '@/lib/base/viewer';
import type { AuditAction } from '@/lib/audit/schema';
import { AppError } from '@/lib/base/http/problems';
import type { Runtime } from '@/lib/access/runtime';
import type { Executor } from '@/lib/database/database';
import { MAX_OWN_RULES, MAX_RULES, type AlertRuleChange } from '../schema';
import type { AlertCondition, AlertRule, AlertRuleInput } from '@/lib/rules/alert-rule';
import { ruleText } from '../text';
import {
  closeAlertsOfRule,
  countRules,
  deleteRule,
  insertRule,
  listRules,
  lockRules,
  readRule,
  readSiteNames,
  updateRule,
} from './rule-repository';

/** A request of a viewer: what a route handler gets. */
export interface AlertRequest {
  runtime: Pick<Runtime, 'clock' | 'history' | 'watch'> & {
    accounts: Pick<Runtime['accounts'], 'open' | 'audit' | 'asManager'>;
  };
  viewer: Viewer;
  client: Pick<Client, 'address'>;
}

/** The user whose own rules and alerts a viewer sees; null for the demo, which has none. */
export const toOwnerId = ({ kind, id }: Viewer): string | null => (kind === 'user' ? id : null);

/** The id of a rule or an alert in an address; null where it is none. */
export const toId = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/** Writes a change of a viewer to the audit log, in its transaction. */
export const recordChange = (
  { runtime: { accounts }, viewer, client }: AlertRequest,
  action: AuditAction,
  subject: string,
  details: Record<string, unknown>,
  tx: Executor,
): Promise<void> =>
  accounts.audit.record({ by: viewer, action, subject, address: client.address, details }, tx);

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

/** Runs a change of rules, after which the fleet is evaluated by them: a manager's own right is locked with it. */
const changeRules = async <T>(
  { runtime, viewer }: AlertRequest,
  usdot: string,
  isOwn: boolean,
  work: (tx: Executor) => Promise<T>,
): Promise<T> => {
  const { accounts } = runtime;
  const run = async (tx: Executor): Promise<T> => {
    await lockRules(tx, usdot);
    return work(tx);
  };
  const result = isOwn
    ? await (await accounts.open()).orm.transaction(run)
    : await accounts.asManager(viewer, [usdot], run);
  runtime.watch?.reload(usdot);
  return result;
};

/** The rules of a fleet and the viewer's own, by name. */
export const listFleetRules = async (
  { runtime, viewer }: Pick<AlertRequest, 'runtime' | 'viewer'>,
  usdot: string,
): Promise<{ rules: AlertRule[] }> => ({
  rules: await listRules((await runtime.accounts.open()).orm, usdot, toOwnerId(viewer)),
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
  request: AlertRequest,
  usdot: string,
  input: AlertRuleInput,
): Promise<AlertRule> => {
  const { viewer, runtime } = request;
  const ownerId = input.isOwn ? toOwnerId(viewer) : null;
  if (input.isOwn && ownerId === null)
    throw new AppError('demo-has-no-users', {
      detail: 'The demo has no users, so its rules are for the whole fleet.',
    });
  if (!input.isOwn && viewer.role !== 'manager') throw new AppError('managers-only');
  return changeRules(request, usdot, input.isOwn, async (tx) => {
    const rule = await requireText(tx, usdot, input);
    await requireRoom(tx, usdot, ownerId);
    const made = { ownerId, madeBy: viewer.name, madeById: toOwnerId(viewer), nowMs: runtime.clock.nowMs() };
    const added = await insertRule(tx, usdot, input, made);
    await recordChange(request, 'alert-rule.add', input.name, { usdot, id: added.id, rule }, tx);
    return added;
  });
};

/** Changes or removes a rule that the viewer may. @throws AppError 'unknown-rule', 'managers-only' */
const withRule = async <T>(
  request: AlertRequest,
  usdot: string,
  ruleId: string,
  work: (tx: Executor, rule: AlertRule) => Promise<T>,
): Promise<T> => {
  const { runtime, viewer } = request;
  const id = toId(ruleId);
  const read = (orm: Executor) => (id === null ? null : readRule(orm, usdot, id, toOwnerId(viewer)));
  const known = await read((await runtime.accounts.open()).orm);
  if (known === null) throw new AppError('unknown-rule');
  if (!known.isOwn && viewer.role !== 'manager') throw new AppError('managers-only');
  return changeRules(request, usdot, known.isOwn, async (tx) => {
    const rule = await read(tx);
    if (rule === null) throw new AppError('unknown-rule');
    return work(tx, rule);
  });
};

/** The fields in which two rules differ, for the audit log; what they say is in their sentences. */
const listChanges = (
  before: AlertRule,
  after: AlertRule,
): Record<string, { before: unknown; after: unknown }> =>
  Object.fromEntries(
    (['name', 'severity', 'coolDownMin', 'isEnabled'] as const)
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { before: before[field], after: after[field] }]),
  );

/** @throws AppError 'unknown-rule', 'managers-only', 'bad-input', 'accounts-unavailable' */
export const changeRule = (
  request: AlertRequest,
  usdot: string,
  ruleId: string,
  change: AlertRuleChange,
): Promise<AlertRule> =>
  withRule(request, usdot, ruleId, async (tx, before) => {
    const after: AlertRule = { ...before, ...change };
    const nowMs = request.runtime.clock.nowMs();
    const rule = await requireText(tx, usdot, after);
    await updateRule(tx, after, nowMs);
    if (!after.isEnabled) await closeAlertsOfRule(tx, after.id, nowMs);
    const details = { usdot, id: after.id, rule, ...listChanges(before, after) };
    await recordChange(request, 'alert-rule.change', after.name, details, tx);
    return after;
  });

/** Removes a rule and closes its alerts, which stay. @throws AppError 'unknown-rule', 'managers-only' */
export const removeRule = (request: AlertRequest, usdot: string, ruleId: string): Promise<void> =>
  withRule(request, usdot, ruleId, async (tx, { id, name }) => {
    await closeAlertsOfRule(tx, id, request.runtime.clock.nowMs());
    await deleteRule(tx, id);
    await recordChange(request, 'alert-rule.remove', name, { usdot, id }, tx);
  });
