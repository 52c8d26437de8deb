import 'server-only';
import { eq } from 'drizzle-orm';
import type { Clock } from '@/lib/base/clock';
import type { Executor } from '@/lib/database/database';
import { pushSubscriptions } from '@/lib/database/schema';
import { shorten } from '@/lib/base/text/shorten';
import { UndeliverableError, type Delivery, type SendDeliveries } from './delivery';
import type { SendGuarded } from './guarded-request';
import { toAlertUrl, toSentence, type ToZone } from './message';
import { readReader, requireSeen } from './readers';
import type { VapidKeys } from './vapid-keys';

/** A push service drops what a phone could not get within this time. */
const TTL_S = 4 * 3600;
const MAX_BODY_CHARACTERS = 300;
const SHOWN = 3;
/** The browser has unsubscribed: RFC 8030, 5 and 7.3. */
const GONE = [404, 410];

interface PushOptions {
  orm: () => Executor;
  send: SendGuarded;
  keys: () => VapidKeys;
  /** Whom push services may contact: https or mailto. */
  subject: string;
  toZone: ToZone;
  clock: Pick<Clock, 'nowMs'>;
}

/** The message that the service worker shows. */
export interface PushMessage {
  id: string;
  title: string;
  body: string;
  severity: Delivery['alert']['severity'];
  /** The path of its page. */
  url: string;
  /** A message of the same tag replaces this one. */
  tag: string;
  silent: boolean;
}

const toPushMessage = (deliveries: readonly Delivery[], sentences: readonly string[]): PushMessage => {
  const [first] = deliveries;
  const { id, usdot, alert } = first!;
  const { severity, ruleName } = alert;
  const isOne = deliveries.length === 1;
  return {
    id,
    title: isOne ? ruleName : `${deliveries.length} alerts`,
    body: shorten(sentences.slice(0, SHOWN).join('\n'), MAX_BODY_CHARACTERS),
    severity,
    url: isOne ? toAlertUrl(null, first!) : `/fleets/${usdot}/alerts`,
    tag: isOne ? `alert-${alert.id}` : `alerts-${id}`,
    silent: deliveries.every((each) => each.alert.severity === 'info'),
  };
};

/** Sends deliveries of one browser as one encrypted message (RFC 8291); a browser that has unsubscribed is forgotten. */
export const createPushChannel =
  ({ orm, send, keys, subject, toZone, clock }: PushOptions): SendDeliveries =>
  async (deliveries, signal) => {
    const { target } = deliveries[0]!;
    const isTarget = eq(pushSubscriptions.id, target);
    const [subscription] = await orm().select().from(pushSubscriptions).where(isTarget);
    if (subscription === undefined) throw new UndeliverableError('This browser has unsubscribed.');
    const reader = await readReader(orm(), subscription.userId);
    const seen = await requireSeen(orm(), reader, deliveries);
    const zone = reader!.preferences.quietHours?.timeZone ?? null;
    const sentences = seen.map((each) => toSentence(each, { zone, toZone, nowMs: clock.nowMs() }));
    const message = toPushMessage(seen, sentences);
    const { endpoint, keys: browserKeys } = subscription;
    // Loaded with the first message: not at the start, and not without one.
    const { default: webPush } = await import('web-push');
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: browserKeys },
      JSON.stringify(message),
      {
        vapidDetails: { subject, ...keys() },
        TTL: TTL_S,
        urgency: message.severity === 'critical' ? 'high' : 'normal',
      },
    );
    const status = await send({
      url: endpoint,
      headers: headers as Record<string, string | number>,
      body: body!,
      signal,
    });
    if (GONE.includes(status)) {
      await orm().delete(pushSubscriptions).where(isTarget);
      throw new UndeliverableError('This browser has unsubscribed.');
    }
    if (status < 200 || status >= 300) throw new Error(`The push service answered ${status}.`);
  };
