import 'server-only';
import { createKeyLimit, createTooManyAttempts } from '@/lib/base/rate-limits';
import type { Clock } from '@/lib/base/clock';
import type { LookupAll } from '@/lib/base/http/public-fetch';
import type { Database, Executor } from '@/lib/database/database';
import type { SendMail } from '@/lib/jobs/mailer';
import { AlertDeliveries } from './delivery/deliveries';
import { createGuardedRequest } from './delivery/guarded-request';
import { createMailChannel, createToQuietMs } from './delivery/mail-channel';
import type { ToZone } from './delivery/delivery';
import { createPushChannel, readOrCreateVapidKeys, type VapidKeys } from './delivery/push-channel';
import { createWebhookChannel, postToWebhook, sealWebhookSecret } from './delivery/webhook-channel';
import { Jobs, type JobSet } from '@/lib/jobs/jobs';
import { DELIVERY_JOB, createOutbox, type AlertMessages } from './outbox';

export interface AlertMessagesOptions {
  /** The migrated database, in a pool of its own. @throws while it is away */
  open: () => Promise<Database>;
  /** The secret that signs sessions; it seals those of webhooks. */
  secret: string;
  publicUrl: string | null;
  /** Null if no mail server is configured. */
  sendMail: SendMail | null;
  /** The sender of the mails; null if no mail server is configured. */
  mailFrom: string | null;
  isPrivateAllowed: boolean;
  keptMs: number;
  /** Jobs of other features that run beside those of the messages. */
  createOthers?: (jobs: Jobs, database: () => Database) => JobSet[];
  clock: Clock;
  log: Record<'warn', (fields: object, message: string) => void>;
  /** For tests. */
  lookup?: LookupAll;
  pollMs?: number;
  maintainEveryS?: number;
}

/** Tests of webhooks in a window, which begins with the first one. */
const TESTS = { points: 20, durationS: 600 };

/** Whom push services may contact about what this server sends. */
const toSubject = ({ mailFrom, publicUrl }: Pick<AlertMessagesOptions, 'mailFrom' | 'publicUrl'>): string => {
  if (mailFrom !== null) return `mailto:${mailFrom.replace(/^.*<|>$/g, '')}`;
  return publicUrl?.startsWith('https:') ? publicUrl : 'mailto:linehaul@localhost';
};

/** Loads the table of time zones, which is large. */
const loadZones = async (): Promise<ToZone> => {
  const { default: lookUp } = await import('@photostructure/tz-lookup');
  return (lat, lng) => {
    try {
      return lookUp(lat, lng);
    } catch (error) {
      // Thrown for invalid coordinates.
      if (error instanceof RangeError) return 'UTC';
      throw error;
    }
  };
};

export const createAlertMessages = (options: AlertMessagesOptions): AlertMessages => {
  const { secret, sendMail, clock, isPrivateAllowed, lookup, ...rest } = options;
  let opened: { database: Database; keys: VapidKeys; toZone: ToZone } | null = null;
  // Jobs run after `onOpened`.
  const orm = (): Executor => opened!.database.orm;
  const send = createGuardedRequest({ isPrivateAllowed, ...(lookup && { lookup }) });
  const toZone: ToZone = (lat, lng) => opened!.toZone(lat, lng);
  const shared = { ...rest, orm, send, secret, sendMail, toZone, clock };
  const jobs = new Jobs({
    ...rest,
    clock,
    onOpened: async (database) => {
      const keys = await readOrCreateVapidKeys(database.orm, { secret, clock });
      opened = { database, keys, toZone: await loadZones() };
    },
  });
  const deliveries = new AlertDeliveries({
    ...shared,
    jobs,
    channels: {
      email: createMailChannel(shared),
      webhook: createWebhookChannel(shared),
      push: createPushChannel({ ...shared, keys: () => opened!.keys, subject: toSubject(options) }),
    },
    toQuietMs: createToQuietMs(shared),
  });
  const tests = createKeyLimit(TESTS);
  const canMailCustomers = sendMail !== null && options.publicUrl !== null;
  jobs.add(deliveries, ...(options.createOthers?.(jobs, () => opened!.database) ?? []));
  return {
    outbox: createOutbox({ jobs, canMail: sendMail !== null, canMailCustomers, clock }),
    jobs,
    canMail: sendMail !== null,
    canMailCustomers,
    isPrivateAllowed,
    readPushKey: () => opened?.keys.publicKey ?? null,
    sealSecret: (webhookSecret) => sealWebhookSecret(webhookSecret, secret),
    queue: (tx, id) => jobs.again(tx, DELIVERY_JOB, { id, data: {} }, 0),
    takeTest: async (client) => {
      const waitS = await tests.take(client);
      if (waitS > 0) throw createTooManyAttempts(waitS);
    },
    post: (webhook, signal) => postToWebhook(webhook, shared, signal),
    start: () => jobs.start(),
    close: () => jobs.close(),
  };
};
