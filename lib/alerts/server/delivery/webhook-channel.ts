import 'server-only';
import { randomBytes } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import type { Clock } from '@/lib/base/clock';
import { seal, unseal } from '@/lib/base/sealed';
import { readContactsOf } from '@/lib/contacts/server/contacts';
import type { LoadFacts } from '@/lib/rules/alert-rule';
import type { UnitContact } from '@/lib/view/marks';
import { createBatcher } from '@/lib/database/batcher';
import type { Executor } from '@/lib/database/database';
import { webhooks } from '../tables';
import {
  UndeliverableError,
  type Delivery,
  type SendDeliveries,
  toAlertUrl,
  toSentence,
  type ToZone,
} from './delivery';
import type { SendGuarded } from './guarded-request';

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;
const PURPOSE = 'linehaul webhook';
const MAX_READ = 100;

export const createWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** @param secret the one that signs sessions */
export const sealWebhookSecret = (webhookSecret: string, secret: string): string =>
  seal(webhookSecret, secret, PURPOSE);

const unsealWebhookSecret = (sealed: string, secret: string): string => {
  try {
    return unseal(sealed, secret, PURPOSE);
  } catch {
    throw new UndeliverableError('The secret was sealed with another AUTH_SECRET. Add the webhook again.');
  }
};

const toIso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

interface WebhookOptions {
  orm: () => Executor;
  send: SendGuarded;
  secret: string;
  publicUrl: string | null;
  toZone: ToZone;
  clock: Pick<Clock, 'nowMs'>;
}

const toSentContact = ({ unit: _unit, text, ...people }: UnitContact) => {
  const sent = (name: string, phone: string) =>
    name === '' && phone === '' ? null : { name: name || null, phone: phone || null };
  return {
    driver: sent(people.driver, people.driverPhone),
    secondDriver: sent(people.secondDriver, people.secondDriverPhone),
    dispatcher: sent(people.dispatcher, people.dispatcherPhone),
    text: text || null,
  };
};

const toSentSpan = (span: { fromMs: number; toMs: number } | null) =>
  span && { from: toIso(span.fromMs), to: toIso(span.toMs) };

const toSentLoad = ({ id, reference, customer, stop, ...load }: LoadFacts) => ({
  ...{ id, reference, customer, stop: { number: stop + 1, name: load.stopName } },
  appointment: toSentSpan(load.appointment),
  window: toSentSpan(load.window),
  freeTimeEndsAt: toIso(load.freeEndsMs),
  ...(load.wrongCheckMs !== undefined && { wrongTruckCheckedAt: toIso(load.wrongCheckMs) }),
});

/** The JSON of a message: docs/alerts.md. The same for each attempt, apart from what has become of the alert. */
export const toWebhookBody = (
  delivery: Delivery,
  { publicUrl, toZone, clock }: Pick<WebhookOptions, 'publicUrl' | 'toZone' | 'clock'>,
  /** Whom to call about its truck; undefined: the webhook does not include contacts. */
  contact?: UnitContact | null,
): string => {
  const { usdot, event, alert } = delivery;
  const { id, ruleId, ruleName, severity, unit, openedMs, closedMs, facts } = alert;
  const {
    condition,
    unitName,
    fixAtMs,
    sinceMs,
    betweenMs,
    lat,
    lng,
    speedMph,
    siteId,
    siteName,
    flags,
    load,
  } = facts;
  return JSON.stringify({
    type: `alert.${event}`,
    timestamp: toIso(event === 'opened' ? openedMs : (closedMs ?? openedMs)),
    data: {
      id,
      usdot,
      severity,
      text: toSentence(delivery, { zone: null, toZone, nowMs: clock.nowMs() }),
      url: publicUrl === null ? null : toAlertUrl(publicUrl, delivery),
      openedAt: toIso(openedMs),
      closedAt: toIso(closedMs),
      rule: { id: ruleId, name: ruleName, condition },
      unit: unit === '' ? null : { key: unit, name: unitName, status: facts.status, reason: facts.reason },
      site: siteId === null ? null : { id: siteId, name: siteName },
      position: lat === null || lng === null ? null : { lat, lng, fixAt: toIso(fixAtMs) },
      speedMph,
      since: toIso(sinceMs),
      between: betweenMs === null ? null : betweenMs.map(toIso),
      flags,
      ...(load && { load: toSentLoad(load) }),
      ...(contact !== undefined && { contacts: contact && toSentContact(contact) }),
    },
  });
};

const importWebhooks = () => import('standardwebhooks');
let imported: ReturnType<typeof importWebhooks> | null = null;
/** Loaded with the first message, and looked up once, which costs a good part of what a message does. */
const loadWebhooks = () => (imported ??= importWebhooks());

/** POSTs a body to a webhook with the headers of Standard Webhooks. @throws unless it is accepted */
export const postToWebhook = async (
  { id, url, sealedSecret, body }: { id: string; url: string; sealedSecret: string; body: string },
  { send, secret, clock }: Pick<WebhookOptions, 'send' | 'secret' | 'clock'>,
  signal: AbortSignal,
): Promise<number> => {
  const { Webhook } = await loadWebhooks();
  const sentAt = new Date(clock.nowMs());
  const signature = new Webhook(unsealWebhookSecret(sealedSecret, secret)).sign(id, sentAt, body);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': Math.floor(sentAt.getTime() / 1000),
    'webhook-signature': signature,
  };
  return send({ url, headers, body, signal });
};

/** The fault that a status means, in words; null for a success. */
export const toStatusFault = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver redirects (${status}), which is not followed.`;
  return `The receiver answered ${status}.`;
};

const readContact = async (orm: Executor, { usdot, alert }: Delivery): Promise<UnitContact | null> =>
  (await readContactsOf(orm, usdot, [alert.unit])).get(alert.unit) ?? null;

export const createWebhookChannel = (options: WebhookOptions): SendDeliveries => {
  // Messages that are sent at once read their webhooks in one statement.
  const readWebhook = createBatcher<string, typeof webhooks.$inferSelect | undefined>({
    maxWeight: MAX_READ,
    run: async (ids) => {
      const rows = await options.orm().select().from(webhooks).where(inArray(webhooks.id, ids));
      return ids.map((id) => rows.find((row) => row.id === id));
    },
  });
  return async (deliveries, signal) => {
    const [delivery] = deliveries;
    const { id, target } = delivery!;
    const webhook = await readWebhook(target);
    if (webhook === undefined) throw new UndeliverableError('The webhook was removed.');
    if (!webhook.isEnabled) throw new UndeliverableError('The webhook is switched off.');
    const { url, sealedSecret } = webhook;
    const contact = webhook.includesContacts ? await readContact(options.orm(), delivery!) : undefined;
    const body = toWebhookBody(delivery!, options, contact);
    const fault = toStatusFault(await postToWebhook({ id, url, sealedSecret, body }, options, signal));
    if (fault !== null) throw new Error(fault);
  };
};
