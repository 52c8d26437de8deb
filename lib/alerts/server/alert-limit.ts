import 'server-only';
import { and, eq, sql } from 'drizzle-orm';
import { maySeeFleet, type Viewer } from '@/lib/base/viewer';
import type { Executor } from '@/lib/database/database';
import { alerts } from './tables';
import { unitTags } from '@/lib/database/tables';

type Limit = Pick<Viewer, 'usdots' | 'tags'>;

/** Tags of the units of alerts, each as `alertId tag`. */
export type AlertTags = ReadonlySet<string>;

/** The tags of the units of alerts, of those tags to which users are limited. Reads nothing where no user is limited. */
export const readAlertTags = async (
  orm: Executor,
  alertIds: readonly number[],
  users: readonly Limit[],
): Promise<AlertTags> => {
  const limits = [...new Set(users.flatMap(({ tags }) => tags ?? []))];
  if (limits.length === 0) return new Set();
  const rows = await orm
    .select({ id: alerts.id, tag: unitTags.tag })
    .from(alerts)
    .innerJoin(unitTags, and(eq(unitTags.usdot, alerts.usdot), eq(unitTags.unit, alerts.unit)))
    .where(
      and(
        sql`${alerts.id} = ANY(${sql.param(alertIds)}::int8[])`,
        sql`${unitTags.tag} = ANY(${sql.param(limits)}::text[])`,
      ),
    );
  return new Set(rows.map(({ id, tag }) => `${id} ${tag}`));
};

/** Whether a user sees the fleet and the unit of an alert; an alert about the feed has an empty unit. */
export const maySeeAlert = (
  user: Limit,
  { id, usdot, unit }: { id: number; usdot: string; unit: string },
  known: AlertTags,
): boolean =>
  maySeeFleet(user, usdot) &&
  (user.tags === null || unit === '' || user.tags.some((tag) => known.has(`${id} ${tag}`)));
