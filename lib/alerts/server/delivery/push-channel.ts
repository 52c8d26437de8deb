import 'server-only';
import { eq } from 'drizzle-orm';
import type { Clock } from '@/lib/base/clock';
import type { Executor } from '@/lib/database/database';
import { pushSubscriptions } from '@/lib/alerts/server/tables';
import { shorten } from '@/lib/base/text/text';
import {
  UndeliverableError,
  type Delivery,
  type SendDeliveries,
  toAlertUrl,
  toSentence,
  type ToZone,
  readReader,
  requireSeen,
} from './delivery';
import type { SendGuarded } from './guarded-request';
import { seal, unseal } from '@/lib/base/sealed';
import { lockSettings, readSetting, writeSetting } from '@/lib/database/setting-repository';
import { z } from '@/lib/base/zod';

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

export interface PushMessage {
  id: string;
  title: string;
  body: string;
  severity: Delivery['alert']['severity'];
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

/** The keys by which push services know this server (RFC 8292), base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const NAME = 'vapid-keys';
const PURPOSE = 'linehaul vapid';
const storedSchema = z.object({ publicKey: z.string(), sealedPrivateKey: z.string() });

/** Null: sealed with another secret. */
const unsealKeys = (value: unknown, secret: string): VapidKeys | null => {
  const { publicKey, sealedPrivateKey } = storedSchema.parse(value);
  try {
    return { publicKey, privateKey: unseal(sealedPrivateKey, secret, PURPOSE) };
  } catch {
    // A new AUTH_SECRET: browsers have to subscribe again.
    return null;
  }
};

/** The keys of this installation, made once for an AUTH_SECRET: new ones end the subscriptions of all browsers. */
export const readOrCreateVapidKeys = (
  orm: Executor,
  { secret, clock }: { secret: string; clock: Pick<Clock, 'nowMs'> },
): Promise<VapidKeys> =>
  orm.transaction(async (tx) => {
    await lockSettings(tx);
    const stored = await readSetting(tx, NAME);
    const known = stored === null ? null : unsealKeys(stored.value, secret);
    if (known !== null) return known;
    const { default: webPush } = await import('web-push');
    const keys = webPush.generateVAPIDKeys();
    const { publicKey, privateKey } = keys;
    await tx.delete(pushSubscriptions);
    await writeSetting(tx, NAME, {
      value: { publicKey, sealedPrivateKey: seal(privateKey, secret, PURPOSE) },
      changedBy: 'server',
      changedAtMs: clock.nowMs(),
    });
    return keys;
  });
