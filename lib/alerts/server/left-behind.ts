import 'server-only';
import { eq } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { alertRules, pushSubscriptions, webhooks } from './tables';
import { deviceText } from '@/lib/profile/browser-name';
import type { MadeItem } from '@/lib/users/schema';
import { closeAlertsOfRule, deleteRule } from './rule-repository';

type AlertItem = MadeItem & { madeById: string | null };

/** The webhooks, rules and subscribed browsers of all users, by the user who made them. */
export const listAlertItems = async (tx: Executor): Promise<AlertItem[]> => {
  const hooks = await tx.select().from(webhooks);
  const rules = await tx.select().from(alertRules);
  const browsers = await tx.select().from(pushSubscriptions);
  const isReplacedPair = false;
  return [
    ...hooks.map(({ id, name, usdot, madeById }): AlertItem => ({
      ...{ kind: 'webhook', id, name, usdots: [usdot], madeById, isReplacedPair },
    })),
    ...rules.map(({ id, name, usdot, ownerId, madeById }): AlertItem => ({
      kind: ownerId === null ? 'fleet-rule' : 'own-rule',
      ...{ id: String(id), name, usdots: [usdot], madeById: ownerId ?? madeById, isReplacedPair },
    })),
    ...browsers.map(({ id, userId, userAgent }): AlertItem => ({
      ...{ kind: 'push-subscription', id, name: deviceText(userAgent), usdots: [], madeById: userId },
      isReplacedPair,
    })),
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
