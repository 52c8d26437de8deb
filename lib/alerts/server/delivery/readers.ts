import 'server-only';
import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { alertPreferences } from '../tables';
import { users } from '@/lib/database/tables';
import { DEFAULT_PREFERENCES, type AlertPreferences } from '../../preferences';
import { maySeeAlert, readAlertTags } from '../alert-limit';
import { UndeliverableError, type Delivery } from './delivery';

/** A user who gets messages. */
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
  return { ...row, preferences: (row.preferences as AlertPreferences | null) ?? DEFAULT_PREFERENCES };
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
