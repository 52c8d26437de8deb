import 'server-only';
import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { isSeenUnit } from '@/lib/access/unit-limit';
import { alerts } from '@/lib/alerts/server/tables';
import type { ActionContext } from '@/lib/audit/audit';
import { MOST_OPEN_ALERTS, type OpenAlerts } from '../open-alerts';

/** The open alerts of a fleet's rules, of the units that the viewer sees, without what people wrote on them. */
export const listOpenAlerts = async (
  { database, viewer }: Pick<ActionContext, 'database' | 'viewer'>,
  usdot: string,
): Promise<OpenAlerts> => {
  const { orm } = await database.open();
  const isSeen = isSeenUnit(viewer, usdot, alerts.unit);
  const isOpen = and(
    eq(alerts.usdot, usdot),
    isNull(alerts.closedMs),
    // A user's own rules are that user's.
    isNull(alerts.ownerId),
    isSeen && sql`(${alerts.unit} = '' OR ${isSeen})`,
  );
  const isTaken = sql<boolean>`${alerts.acknowledgedBy} IS NOT NULL`;
  const rank = sql`array_position(ARRAY['critical', 'warning', 'info'], ${alerts.severity})`;
  const { id, ruleName, severity, unit, openedMs, facts } = alerts;
  const [rows, [counts]] = await Promise.all([
    orm
      .select({ id, ruleName, severity, unit, openedMs, facts, isTaken })
      .from(alerts)
      .where(isOpen)
      .orderBy(isTaken, rank, desc(openedMs), desc(id))
      .limit(MOST_OPEN_ALERTS),
    orm
      .select({ count: count(), waiting: sql<number>`count(*) FILTER (WHERE NOT ${isTaken})::int` })
      .from(alerts)
      .where(isOpen),
  ]);
  return {
    alerts: rows.map(({ unit: key, facts: { unitName, siteName, lat, lng }, ...alert }) => ({
      ...alert,
      unitName: key === '' ? null : (unitName ?? key),
      ...{ siteName, lat, lng },
    })),
    ...counts!,
  };
};
