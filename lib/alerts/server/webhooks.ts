import 'server-only';
import { and, asc, count, desc, eq, sql } from 'drizzle-orm';
import { AppError } from '@/lib/base/http/problems';
import { isPublicHost } from '@/lib/base/http/public-fetch';
import { listChanges, type ActionContext } from '@/lib/audit/audit';
import { asManager, changeAsManager } from '@/lib/users/server/user-scope';
import type { Executor } from '@/lib/database/database';
import { alertDeliveries, webhooks } from './tables';
import type { Webhook } from '../answers';
import { MAX_DELIVERIES, MAX_WEBHOOKS, type WebhookChange, type WebhookInput } from '../schema';
import { listDeliveriesOf } from './delivery/delivery-repository';
import { createWebhookSecret, toStatusFault } from './delivery/webhook-channel';
import type { AlertMessages } from './outbox';
import { toOwnerId } from './rules';

export type WebhookContext = ActionContext & { messages: AlertMessages | null };
type ReadContext = Pick<ActionContext, 'database' | 'viewer'>;

/** One change of a fleet's webhooks at a time: with a hash of the USDOT number. */
const WEBHOOKS_LOCK = 0x484f4f4b;

const requireManager = ({ viewer }: Pick<ActionContext, 'viewer'>): void => {
  if (viewer.role !== 'manager') throw new AppError('managers-only');
};

const requireMessages = ({ messages }: Pick<WebhookContext, 'messages'>): AlertMessages => {
  if (messages === null) throw new AppError('recording-off');
  return messages;
};

/** @throws AppError 'bad-input' for an address that messages are not sent to */
const requireAllowed = (context: Pick<WebhookContext, 'messages'>, url: string): void => {
  if (requireMessages(context).isPrivateAllowed) return;
  const refuse = (message: string): never => {
    throw new AppError('bad-input', { detail: message, faults: [{ field: 'url', message }] });
  };
  const target = new URL(url);
  if (target.protocol !== 'https:')
    refuse('The address begins with https://, so that others cannot read it.');
  if (!isPublicHost(target)) refuse('This server sends nothing to addresses of private networks.');
};

const toWebhook = (
  {
    id,
    name,
    url,
    minSeverity,
    isEnabled,
    includesContacts,
    madeBy,
    createdAt,
  }: typeof webhooks.$inferSelect,
  last: Webhook['last'],
): Webhook => ({
  ...{ id, name, url, minSeverity, isEnabled, includesContacts, madeBy, last },
  createdAtMs: createdAt.getTime(),
});

const readWebhook = async (orm: Executor, usdot: string, id: string) => {
  const [row] = await orm
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.usdot, usdot), eq(webhooks.id, id)));
  if (row === undefined) throw new AppError('unknown-webhook');
  return row;
};

/** The newest message to each webhook of a fleet. */
const readLast = async (orm: Executor, usdot: string): Promise<Map<string, Webhook['last']>> => {
  const { state, lastError, updatedMs } = alertDeliveries;
  const rows = await orm
    .select({ id: webhooks.id, last: sql<Webhook['last']>`to_json(newest)` })
    .from(webhooks)
    .innerJoinLateral(
      orm
        .select({
          state,
          lastError: sql`${lastError}`.as('lastError'),
          updatedMs: sql`${updatedMs}`.as('updatedMs'),
        })
        .from(alertDeliveries)
        .where(and(eq(alertDeliveries.target, webhooks.id), eq(alertDeliveries.channel, 'webhook')))
        .orderBy(desc(alertDeliveries.createdMs))
        .limit(1)
        .as('newest'),
      sql`true`,
    )
    .where(eq(webhooks.usdot, usdot));
  return new Map(rows.map(({ id, last }) => [id, last]));
};

/** The webhooks of a fleet by name, without their secrets. @throws AppError 'managers-only' */
export const listWebhooks = async (context: ReadContext, usdot: string): Promise<{ webhooks: Webhook[] }> => {
  requireManager(context);
  const { orm } = await context.database.open();
  const rows = await orm
    .select()
    .from(webhooks)
    .where(eq(webhooks.usdot, usdot))
    .orderBy(asc(sql`lower(${webhooks.name})`), asc(webhooks.id));
  const last = await readLast(orm, usdot);
  return { webhooks: rows.map((row) => toWebhook(row, last.get(row.id) ?? null)) };
};

/** The origin of an address, for the audit log: its path may hold a secret. */
const toShownUrl = (url: string): string => new URL(url).origin;

/**
 * Adds a webhook; its secret is returned only once.
 * @throws AppError 'managers-only', 'bad-input', 'too-many-webhooks', 'recording-off'
 */
export const addWebhook = async (
  context: WebhookContext,
  usdot: string,
  input: WebhookInput,
): Promise<{ webhook: Webhook; secret: string }> => {
  const { viewer, clock } = context;
  requireManager(context);
  requireAllowed(context, input.url);
  const secret = createWebhookSecret();
  return changeAsManager(context, 'webhook.add', [usdot], async (tx, record) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${WEBHOOKS_LOCK}, hashtext(${usdot}))`);
    const [held] = await tx.select({ webhooks: count() }).from(webhooks).where(eq(webhooks.usdot, usdot));
    if (held!.webhooks >= MAX_WEBHOOKS) throw new AppError('too-many-webhooks');
    const [row] = await tx
      .insert(webhooks)
      .values({
        ...input,
        id: crypto.randomUUID(),
        usdot,
        sealedSecret: requireMessages(context).sealSecret(secret),
        madeBy: viewer.name,
        madeById: toOwnerId(viewer),
        createdAt: new Date(clock.nowMs()),
      })
      .returning();
    const { includesContacts } = row!;
    const details = { usdot, id: row!.id, url: toShownUrl(input.url), severity: input.minSeverity };
    await record(input.name, { ...details, ...(includesContacts && { includesContacts }) });
    return { webhook: toWebhook(row!, null), secret };
  });
};

/** @throws AppError 'managers-only', 'unknown-webhook', 'bad-input' */
export const changeWebhook = async (
  context: WebhookContext,
  usdot: string,
  id: string,
  change: WebhookChange,
): Promise<void> => {
  requireManager(context);
  if (change.url !== undefined) requireAllowed(context, change.url);
  await changeAsManager(context, 'webhook.change', [usdot], async (tx, record) => {
    const before = await readWebhook(tx, usdot, id);
    // The manager who enters an address is the one whose rights it needs.
    const isMoved = change.url !== undefined && change.url !== before.url;
    const after = { ...before, ...change, ...(isMoved && { madeById: toOwnerId(context.viewer) }) };
    await tx.update(webhooks).set(after).where(eq(webhooks.id, id));
    const changes = listChanges(before, after, ['name', 'minSeverity', 'isEnabled', 'includesContacts']);
    const url = before.url === after.url ? {} : { url: toShownUrl(after.url) };
    await record(after.name, { usdot, id, ...changes, ...url });
  });
};

/** Removes a webhook; what is not sent yet fails. @throws AppError 'managers-only', 'unknown-webhook' */
export const removeWebhook = async (context: WebhookContext, usdot: string, id: string): Promise<void> => {
  requireManager(context);
  await changeAsManager(context, 'webhook.remove', [usdot], async (tx, record) => {
    const { name } = await readWebhook(tx, usdot, id);
    await tx.delete(webhooks).where(eq(webhooks.id, id));
    await record(name, { usdot, id });
  });
};

/** The newest messages to a webhook. @throws AppError 'managers-only', 'unknown-webhook' */
export const listDeliveries = async (context: ReadContext, usdot: string, id: string) => {
  requireManager(context);
  const { orm } = await context.database.open();
  await readWebhook(orm, usdot, id);
  return { deliveries: await listDeliveriesOf(orm, id, MAX_DELIVERIES) };
};

/** Sends a message to its webhook again, under its id. @throws AppError 'managers-only', 'unknown-delivery' */
export const replayDelivery = async (context: WebhookContext, usdot: string, id: string): Promise<void> => {
  requireManager(context);
  const messages = requireMessages(context);
  await changeAsManager(context, 'webhook.replay', [usdot], async (tx, record) => {
    const [webhook] = await tx
      .select({ id: webhooks.id, name: webhooks.name })
      .from(alertDeliveries)
      .innerJoin(webhooks, and(eq(webhooks.id, alertDeliveries.target), eq(webhooks.usdot, usdot)))
      .where(and(eq(alertDeliveries.id, id), eq(alertDeliveries.channel, 'webhook')));
    if (webhook === undefined) throw new AppError('unknown-delivery');
    const nowMs = context.clock.nowMs();
    await tx
      .update(alertDeliveries)
      .set({ state: 'pending', attempts: 0, lastError: null, createdMs: nowMs, updatedMs: nowMs })
      .where(eq(alertDeliveries.id, id));
    await messages.queue(tx, id);
    await record(webhook.name, { usdot, id: webhook.id, message: id });
  });
};

/** One message for all that can go wrong, so that a test says nothing about the networks that this server reaches. */
const NOT_ACCEPTED =
  'The receiver did not accept the message. Check the address, and that it answers with a status from 200 to 299 within 10 seconds, without a redirect.';

/** Sends a test to a webhook, once and at once. @throws AppError 'managers-only', 'unknown-webhook', 'too-many-attempts' */
export const testWebhook = async (
  context: WebhookContext,
  usdot: string,
  id: string,
  signal: AbortSignal,
): Promise<{ status: number | null; error: string | null }> => {
  requireManager(context);
  const { viewer, client, clock } = context;
  const messages = requireMessages(context);
  const { url, sealedSecret, name } = await asManager(context, [usdot], (tx) => readWebhook(tx, usdot, id));
  await messages.takeTest(viewer.id ?? client.address);
  const body = JSON.stringify({
    type: 'alert.test',
    timestamp: new Date(clock.nowMs()).toISOString(),
    data: { usdot, text: `A test of the webhook “${name}”.` },
  });
  const message = { id: crypto.randomUUID(), url, sealedSecret, body };
  try {
    const status = await messages.post(message, signal);
    return toStatusFault(status) === null ? { status, error: null } : { status: null, error: NOT_ACCEPTED };
  } catch {
    // A test has one message for each failure; a delivery that fails is listed with its reason.
    return { status: null, error: NOT_ACCEPTED };
  }
};
