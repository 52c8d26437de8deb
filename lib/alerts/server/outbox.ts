import 'server-only';
import type { AlertChanged } from '@/lib/recording/alert-writer';
import { CUSTOMER_MAIL_JOB } from '@/lib/customer-mails/server/customer-mails';
import type { Outbox } from '@/lib/recording/history-repository';
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Clock } from '@/lib/base/clock';
import type { Executor } from '@/lib/database/database';
import { alertPreferences, alerts, pushSubscriptions, webhooks } from './tables';
import { users } from '@/lib/database/tables';
import { isSevere, isWanted } from '../preferences';
import type { DeliveryChannel } from '../schema';
import { maySeeAlert, readAlertTags } from './alert-limit';
import { toJobId, type Jobs } from '@/lib/jobs/jobs';
import { HOUR_MS } from '@/lib/base/time';
import { addTo, groupBy } from '@/lib/base/maps';

/** The messages about alerts, beyond the list on the screen. */
export interface AlertMessages {
  outbox: Outbox;
  /** Runs the jobs of the messages and those of other features. */
  jobs: Jobs;
  /** Whether a mail server is configured. */
  canMail: boolean;
  /** Whether customers can get mails: one has to have the address at which they are ended. */
  canMailCustomers: boolean;
  /** Whether webhooks may have addresses of private networks. */
  isPrivateAllowed: boolean;
  /** The key with which a browser subscribes; null while the database has not been read. */
  readPushKey: () => string | null;
  sealSecret: (webhookSecret: string) => string;
  /** Makes the job of a delivery in its transaction, in place of one that starts later. */
  queue: (tx: Executor, deliveryId: string) => Promise<void>;
  /** Counts a test of a webhook by a user or a client's address. @throws AppError 'too-many-attempts' */
  takeTest: (client: string) => Promise<void>;
  /** POSTs once to a webhook; resolves to the status. */
  post: (
    webhook: { id: string; url: string; sealedSecret: string; body: string },
    signal: AbortSignal,
  ) => Promise<number>;
  /** Begins to send once the database answers. */
  start: () => void;
  close: () => Promise<void>;
}

export const DELIVERY_JOB = 'alert-delivery';
export const BUNDLE_JOB = 'alert-bundle';
/** One digest job per user; its key is the user's id. */
export const DIGEST_JOB = 'alert-digest';
/** More messages than these that a person would get at once by one channel become one. */
const MAX_SINGLE = 5;

/** A message that is wanted: to a user, a browser of a user, or a webhook. */
interface Wanted extends AlertChanged {
  channel: DeliveryChannel;
  target: string;
  isDigest: boolean;
}

const readAlerts = (tx: Executor, changes: readonly AlertChanged[]) =>
  tx
    .select({
      id: alerts.id,
      usdot: alerts.usdot,
      unit: alerts.unit,
      severity: alerts.severity,
      ownerId: alerts.ownerId,
    })
    .from(alerts)
    // One parameter, however many there are.
    .where(sql`${alerts.id} = any(${sql.param(changes.map(({ alertId }) => alertId))}::int8[])`);
type ChangedAlert = Awaited<ReturnType<typeof readAlerts>>[number];

/** The enabled users who see one of these fleets and want messages. */
const readUsers = (tx: Executor, usdots: string[]) =>
  tx
    .select({
      id: users.id,
      usdots: users.usdots,
      tags: users.tags,
      preferences: alertPreferences.preferences,
    })
    .from(alertPreferences)
    .innerJoin(users, eq(users.id, alertPreferences.userId))
    .where(
      and(
        isNull(users.disabledAt),
        or(isNull(users.usdots), sql`${users.usdots} && ${sql.param(usdots)}::text[]`),
      ),
    );

const readWebhooks = (tx: Executor, usdots: string[]) =>
  tx
    .select({ id: webhooks.id, usdot: webhooks.usdot, minSeverity: webhooks.minSeverity })
    .from(webhooks)
    .where(and(inArray(webhooks.usdot, usdots), webhooks.isEnabled));

const readBrowsers = async (tx: Executor, userIds: string[]): Promise<Map<string, string[]>> => {
  const browsers = new Map<string, string[]>();
  if (userIds.length === 0) return browsers;
  const rows = await tx
    .select({ id: pushSubscriptions.id, userId: pushSubscriptions.userId })
    .from(pushSubscriptions)
    .where(inArray(pushSubscriptions.userId, userIds));
  for (const { id, userId } of rows) addTo(browsers, userId, id);
  return browsers;
};

const readTargets = async (tx: Executor, changed: readonly ChangedAlert[]) => {
  const usdots = [...new Set(changed.map(({ usdot }) => usdot))];
  const people = await readUsers(tx, usdots);
  const withPush = people.filter(({ preferences }) => preferences.push).map(({ id }) => id);
  const ids = changed.map(({ id }) => id);
  return {
    people,
    alertTags: await readAlertTags(tx, ids, people),
    hooks: await readWebhooks(tx, usdots),
    browsers: await readBrowsers(tx, withPush),
  };
};
type Targets = Awaited<ReturnType<typeof readTargets>>;

/** The messages about one change. People hear of an alert when it opens, programs also when it closes. */
const listWanted = (
  change: AlertChanged,
  alert: ChangedAlert,
  { people, alertTags, hooks, browsers }: Targets,
  { canMail, nowMs }: { canMail: boolean; nowMs: number },
): Wanted[] => {
  const { usdot, severity, ownerId } = alert;
  // An own rule is its maker's alone.
  const toHooks = ownerId !== null ? [] : hooks.filter((hook) => hook.usdot === usdot);
  const wanted: Wanted[] = toHooks
    .filter(({ minSeverity }) => isSevere(severity, minSeverity))
    .map(({ id }) => ({ ...change, channel: 'webhook', target: id, isDigest: false }));
  if (change.event === 'closed') return wanted;
  for (const { id, preferences, ...user } of people) {
    if (ownerId !== null && ownerId !== id) continue;
    if (!maySeeAlert(user, alert, alertTags) || !isWanted(preferences, severity, nowMs)) continue;
    const isDigest = preferences.email === 'digest';
    if (canMail && preferences.email !== 'off')
      wanted.push({ ...change, channel: 'email', target: id, isDigest });
    for (const target of browsers.get(id) ?? [])
      wanted.push({ ...change, channel: 'push', target, isDigest: false });
  }
  return wanted;
};

/** Stores messages that are not stored yet, in one statement however many they are; returns these. */
const insertDeliveries = async (
  tx: Executor,
  wanted: readonly Wanted[],
  nowMs: number,
): Promise<Queued[]> => {
  const queued = wanted.map((each) => ({ ...each, id: crypto.randomUUID() }));
  const column = (name: 'id' | 'alertId' | 'event' | 'channel' | 'target') =>
    sql.param(queued.map((each) => each[name]));
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into linehaul.alert_deliveries (id, alert_id, event, channel, target, state, created_ms, updated_ms)
    select each.*, 'pending', ${nowMs}::int8, ${nowMs}::int8
    from unnest(${column('id')}::text[], ${column('alertId')}::int8[], ${column('event')}::text[],
      ${column('channel')}::text[], ${column('target')}::text[]) each
    on conflict do nothing returning id`);
  const inserted = new Set(rows.map(({ id }) => id));
  return queued.filter(({ id }) => inserted.has(id));
};

/** When the messages that a user gets together are sent: at the next full hour. */
export const toDigestMs = (nowMs: number): number => (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;

export type Queued = Pick<Wanted, 'channel' | 'target' | 'isDigest'> & { id: string };

const toBundles = (queued: readonly Queued[]): Queued[][] => [
  ...groupBy(queued, ({ id, channel, target }) =>
    channel === 'webhook' ? id : `${channel} ${target}`,
  ).values(),
];

/** The job of messages that one person gets together. */
const toBundleJob = ([first, ...rest]: Queued[]) => {
  const { id, channel, target } = first!;
  return {
    id: toJobId(`${BUNDLE_JOB} ${id}`),
    data: { channel, target, ids: [id, ...rest.map((each) => each.id)] },
  };
};

const toDigestJob = ([first]: Queued[], nowMs: number) => {
  const { id, target } = first!;
  return {
    id: toJobId(`${DIGEST_JOB} ${id}`),
    key: target,
    data: { target },
    delayMs: toDigestMs(nowMs) - nowMs,
  };
};

/** Makes the jobs of messages, in their transaction. */
export const insertDeliveryJobs = async (
  tx: Executor,
  jobs: Pick<Jobs, 'insert'>,
  queued: readonly Queued[],
  nowMs: number,
): Promise<void> => {
  const bundles = toBundles(queued);
  const digests = bundles.filter(([first]) => first!.isDigest);
  const others = bundles.filter(([first]) => !first!.isDigest);
  const isTogether = (bundle: Queued[]): boolean => bundle.length > MAX_SINGLE;
  const singles = others.filter((bundle) => !isTogether(bundle)).flat();
  await jobs.insert(
    tx,
    DELIVERY_JOB,
    singles.map(({ id }) => ({ id, data: {} })),
  );
  await jobs.insert(tx, BUNDLE_JOB, others.filter(isTogether).map(toBundleJob));
  await jobs.insert(
    tx,
    DIGEST_JOB,
    digests.map((digest) => toDigestJob(digest, nowMs)),
  );
};

interface OutboxOptions {
  jobs: Pick<Jobs, 'insert'>;
  canMail: boolean;
  canMailCustomers: boolean;
  clock: Pick<Clock, 'nowMs'>;
}

export const createOutbox = ({ jobs, canMail, canMailCustomers, clock }: OutboxOptions): Outbox => ({
  ...(canMailCustomers && {
    mailCustomers: (tx, ids) =>
      jobs.insert(
        tx,
        CUSTOMER_MAIL_JOB,
        ids.map((id) => ({ id, data: {} })),
      ),
  }),
  add: async (tx, changes) => {
    if (changes.length === 0) return;
    const nowMs = clock.nowMs();
    const changed = new Map((await readAlerts(tx, changes)).map((alert) => [alert.id, alert]));
    const targets = await readTargets(tx, [...changed.values()]);
    const wanted = changes.flatMap((change) => {
      const alert = changed.get(change.alertId);
      return alert === undefined ? [] : listWanted(change, alert, targets, { canMail, nowMs });
    });
    await insertDeliveryJobs(tx, jobs, await insertDeliveries(tx, wanted, nowMs), nowMs);
  },
});
