import 'server-only';
import { eq } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { alertRules, pushSubscriptions, webhooks } from './tables';
import { deviceText } from '@/lib/profile/browser-name';
import { toOwnedItem, type MadeItem, type OwnedItem } from '@/lib/users/schema';
import { closeAlertsOfRule, deleteRule } from './rule-repository';

/** The webhooks, rules and subscribed browsers of all users, by the user who made them. */
export const listAlertItems = async (tx: Executor): Promise<OwnedItem[]> => {
  const hooks = await tx.select().from(webhooks);
  const rules = await tx.select().from(alertRules);
  const browsers = await tx.select().from(pushSubscriptions);
  return [
    ...hooks.map((hook) => toOwnedItem('webhook', { ...hook, usdots: [hook.usdot] })),
    ...rules.map(({ id, name, usdot, ownerId, madeById }) =>
      toOwnedItem(ownerId === null ? 'fleet-rule' : 'own-rule', {
        ...{ id: String(id), name, usdots: [usdot], madeById: ownerId ?? madeById },
      }),
    ),
    ...browsers.map(({ id, userId, userAgent }) =>
      toOwnedItem('push-subscription', { id, name: deviceText(userAgent), usdots: [], madeById: userId }),
    ),
  ];
};

/** Ends an item of a user who may not keep it; false if it has already ended. */
export const removeAlertItem = async (
  tx: Executor,
  { kind, id }: Pick<MadeItem, 'kind' | 'id'>,
  nowMs: number,
): Promise<boolean> => {
  if (kind === 'webhook') return (await tx.delete(webhooks).where(eq(webhooks.id, id))).rowCount === 1;
  if (kind === 'push-subscription')
    return (await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id))).rowCount === 1;
  await closeAlertsOfRule(tx, Number(id), nowMs);
  await deleteRule(tx, Number(id));
  return true;
};
