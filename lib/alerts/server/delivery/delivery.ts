import 'server-only';
import { and, eq, isNull } from 'drizzle-orm';
import type { DeliveryChannel } from '../../schema';
import type { Alert } from '@/lib/rules/alert-rule';
import { formatZonedMoment, formatWhole } from '@/lib/view/format';
import { alertText } from '../../text';
import type { Executor } from '@/lib/database/database';
import { alertPreferences } from '../tables';
import { users } from '@/lib/database/tables';
import { DEFAULT_PREFERENCES, type AlertPreferences } from '../../preferences';
import { maySeeAlert, readAlertTags } from '../alert-limit';

/** A message about an alert that is due. */
export interface Delivery {
  /** Goes with the message, so that a receiver can recognize a repeat. */
  id: string;
  event: 'opened' | 'closed';
  channel: DeliveryChannel;
  /** Id of the user, the browser's subscription or the webhook. */
  target: string;
  attempts: number;
  createdMs: number;
  usdot: string;
  alert: Alert;
}

/** Sends deliveries of one target as one message. @throws UndeliverableError; any other error is tried again */
export type SendDeliveries = (deliveries: readonly Delivery[], signal: AbortSignal) => Promise<void>;

/** A message that cannot be delivered, however often it is tried. */
export class UndeliverableError extends Error {
  override name = 'UndeliverableError';
}

const MAX_LISTED = 50;

/** The time zone of a position; where that is not known, UTC. */
export type ToZone = (lat: number, lng: number) => string;

/** A message's sentence, with times in a zone or, where that is null, in the one of the place. */
export const toSentence = (
  { alert }: Pick<Delivery, 'alert'>,
  { zone, toZone, nowMs }: { zone: string | null; toZone: ToZone; nowMs: number },
): string => {
  const { lat, lng } = alert.facts;
  const shown = zone ?? (lat === null || lng === null ? 'UTC' : toZone(lat, lng));
  return alertText(alert, (ms) => formatZonedMoment(ms, nowMs, shown));
};

/** The address of an alert on its page; without a public address of this server, a path. */
export const toAlertUrl = (
  publicUrl: string | null,
  { usdot, alert }: Pick<Delivery, 'usdot' | 'alert'>,
): string => `${publicUrl ?? ''}/fleets/${usdot}/alerts?alert=${alert.id}`;

/** The first of many lines, and how many more there are. */
export const listLines = (lines: readonly string[], most = MAX_LISTED): string[] =>
  lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most), `And ${formatWhole(lines.length - most)} more.`];

export interface Reader {
  id: string;
  email: string;
  usdots: string[] | null;
  tags: string[] | null;
  preferences: AlertPreferences;
}

/** Null: there is no such user, or they are disabled. */
export const readReader = async (orm: Executor, userId: string): Promise<Reader | null> => {
  const [row] = await orm
    .select({
      id: users.id,
      email: users.email,
      usdots: users.usdots,
      tags: users.tags,
      preferences: alertPreferences.preferences,
    })
    .from(users)
    .leftJoin(alertPreferences, eq(alertPreferences.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.disabledAt)));
  if (row === undefined) return null;
  return { ...row, preferences: row.preferences ?? DEFAULT_PREFERENCES };
};

/** The deliveries about fleets and units that a user still sees. @throws UndeliverableError if there is none */
export const requireSeen = async (
  orm: Executor,
  reader: Reader | null,
  deliveries: readonly Delivery[],
): Promise<Delivery[]> => {
  const ids = deliveries.map(({ alert }) => alert.id);
  const known = await readAlertTags(orm, ids, reader === null ? [] : [reader]);
  const seen = deliveries.filter(
    ({ usdot, alert }) => reader !== null && maySeeAlert(reader, { ...alert, usdot }, known),
  );
  if (seen.length === 0) throw new UndeliverableError('The user sees this fleet or this truck no more.');
  return seen;
};
