import 'server-only';
import { and, eq, isNull } from 'drizzle-orm';
import { maySeeFleet } from '@/lib/auth/viewer';
import type { Executor } from '@/lib/postgres/database';
import { alertPreferences, users } from '@/lib/postgres/schema';
import { DEFAULT_PREFERENCES } from '../../preferences';
import type { AlertPreferences } from '../../preferences';
import { UndeliverableError } from './delivery';
import type { Delivery } from './delivery';

/** A user who gets messages. */
export interface Reader {
  id: string;
  email: string;
  usdots: string[] | null;
  preferences: AlertPreferences;
}

/** Null: there is no such user, or they are disabled. */
export const readReader = async (orm: Executor, userId: string): Promise<Reader | null> => {
  const [row] = await orm
    .select({
      id: users.id,
      email: users.email,
      usdots: users.usdots,
      preferences: alertPreferences.preferences,
    })
    .from(users)
    .leftJoin(alertPreferences, eq(alertPreferences.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.disabledAt)));
  if (row === undefined) return null;
  return { ...row, preferences: (row.preferences as AlertPreferences | null) ?? DEFAULT_PREFERENCES };
};

/** The deliveries of fleets that a user still sees. @throws UndeliverableError if there is none */
export const requireSeen = (reader: Reader | null, deliveries: readonly Delivery[]): Delivery[] => {
  const seen = reader === null ? [] : deliveries.filter(({ usdot }) => maySeeFleet(reader, usdot));
  if (seen.length === 0) throw new UndeliverableError('The user sees this fleet no more.');
  return seen;
};
