import 'server-only';
import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { ActionContext } from '@/lib/audit/audit';
import type { Client } from '@/lib/base/viewer';
import { AppError } from '@/lib/base/http/problems';
import { isPublicHost } from '@/lib/base/http/public-fetch';
import { alertPreferences, pushSubscriptions } from './tables';
import type { AlertAccount } from '../answers';
import { DEFAULT_PREFERENCES, type AlertPreferences } from '../preferences';
import { MAX_PUSH_SUBSCRIPTIONS, type PushSubscriptionInput } from '../schema';
import type { AlertMessages } from './outbox';

type ReadContext = Pick<ActionContext, 'viewer' | 'database'>;

const MAX_AGENT_CHARACTERS = 300;

/** The id of the user who makes a request. @throws AppError 'not-for-screens', 'demo-has-no-users' */
export const requireUserId = ({ viewer: { kind, id } }: Pick<ActionContext, 'viewer'>): string => {
  if (kind === 'screen') throw new AppError('not-for-screens');
  if (kind === 'demo' || id === null)
    throw new AppError('demo-has-no-users', {
      detail: 'The demo has no users, so it sends no e-mail and no push messages.',
    });
  return id;
};

/** How a user hears of alerts. @throws AppError 'not-for-screens', 'demo-has-no-users', 'accounts-unavailable' */
export const readAlertAccount = async (
  context: ReadContext & { messages: Pick<AlertMessages, 'canMail' | 'readPushKey'> | null },
): Promise<AlertAccount> => {
  const userId = requireUserId(context);
  const { database, messages, viewer } = context;
  const { orm } = await database.open();
  const [row] = await orm.select().from(alertPreferences).where(eq(alertPreferences.userId, userId));
  const browsers = await orm
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId))
    .orderBy(asc(pushSubscriptions.createdAt));
  return {
    preferences: { ...DEFAULT_PREFERENCES, ...row?.preferences },
    email: messages?.canMail ? viewer.email : null,
    pushKey: messages?.readPushKey() ?? null,
    phones: browsers.map(({ id, userAgent, createdAt }) => ({
      id,
      userAgent,
      createdAtMs: createdAt.getTime(),
    })),
  };
};

/** @throws AppError 'not-for-screens', 'demo-has-no-users', 'accounts-unavailable' */
export const writePreferences = async (
  context: ReadContext,
  preferences: AlertPreferences,
): Promise<void> => {
  const userId = requireUserId(context);
  const { orm } = await context.database.open();
  await orm
    .insert(alertPreferences)
    .values({ userId, preferences })
    .onConflictDoUpdate({ target: alertPreferences.userId, set: { preferences } });
};

/**
 * Subscribes a browser, also one that another user had subscribed; of too many the oldest ends.
 * @throws AppError 'bad-input', 'no-push', 'not-for-screens', 'demo-has-no-users', 'accounts-unavailable'
 */
export const subscribeBrowser = async (
  context: ReadContext &
    Pick<ActionContext, 'clock'> & {
      client: Pick<Client, 'headers'>;
      messages: Pick<AlertMessages, 'readPushKey' | 'isPrivateAllowed'> | null;
    },
  { endpoint, keys }: PushSubscriptionInput,
): Promise<void> => {
  const userId = requireUserId(context);
  const { messages, database, clock, client } = context;
  if (messages === null || messages.readPushKey() === null) throw new AppError('no-push');
  const target = new URL(endpoint);
  if (!messages.isPrivateAllowed && (target.protocol !== 'https:' || !isPublicHost(target))) {
    const message = 'That is no address of a push service.';
    throw new AppError('bad-input', { detail: message, faults: [{ field: 'endpoint', message }] });
  }
  const userAgent = (client.headers.get('user-agent') ?? '').slice(0, MAX_AGENT_CHARACTERS);
  const row = { userId, endpoint, keys, userAgent, createdAt: new Date(clock.nowMs()) };
  const { orm } = await database.open();
  await orm.transaction(async (tx) => {
    await tx
      .insert(pushSubscriptions)
      .values({ ...row, id: crypto.randomUUID() })
      .onConflictDoUpdate({
        target: pushSubscriptions.endpoint,
        // Messages are sent to an id: those that wait for another user end with the one before.
        set: {
          ...row,
          id: sql`CASE WHEN ${pushSubscriptions.userId} = excluded.user_id THEN ${pushSubscriptions.id} ELSE excluded.id END`,
        },
      });
    const others = tx
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(and(eq(pushSubscriptions.userId, userId), ne(pushSubscriptions.endpoint, endpoint)))
      .orderBy(sql`${pushSubscriptions.createdAt} desc`)
      .offset(MAX_PUSH_SUBSCRIPTIONS - 1);
    await tx.delete(pushSubscriptions).where(sql`${pushSubscriptions.id} in ${others}`);
  });
};

/** Ends the subscription of a user's browser with this endpoint; one that has ended as well. */
export const unsubscribeBrowser = async (context: ReadContext, endpoint: string): Promise<void> => {
  const userId = requireUserId(context);
  const { orm } = await context.database.open();
  await orm
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), eq(pushSubscriptions.endpoint, endpoint)));
};

/** Ends the subscription of another of a user's browsers. @throws AppError 'unknown-account-part' */
export const removeSubscription = async (context: ReadContext, id: string): Promise<void> => {
  const userId = requireUserId(context);
  const { orm } = await context.database.open();
  const removed = await orm
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), eq(pushSubscriptions.id, id)))
    .returning({ id: pushSubscriptions.id });
  if (removed.length === 0) throw new AppError('unknown-account-part');
};
