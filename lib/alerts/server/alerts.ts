import 'server-only';
import { and, count, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { alertReads, alerts } from './tables';
import { isSeenUnit } from '@/lib/access/unit-limit';
import type { AlertPage } from '../answers';
import { ALERTS_A_PAGE, MAX_UNREAD, type alertsQuerySchema } from '../schema';
import type { Alert } from '@/lib/rules/alert-rule';
import { change, type ActionContext } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import { toId, toOwnerId } from './rules';

export const toAlert = ({ usdot: _, ownerId: _owner, ...alert }: typeof alerts.$inferSelect): Alert => alert;

/** The alerts of a fleet that a viewer may see: those for all, and those of own rules, of the units that the viewer sees. */
const isVisible = (usdot: string, viewer: Viewer) => {
  const ownerId = toOwnerId(viewer);
  const isForAll = isNull(alerts.ownerId);
  const isSeen = isSeenUnit(viewer, usdot, alerts.unit);
  return and(
    eq(alerts.usdot, usdot),
    // An alert about the feed has no unit.
    isSeen && or(eq(alerts.unit, ''), isSeen),
    ownerId === null ? isForAll : or(isForAll, eq(alerts.ownerId, ownerId)),
  );
};

/** The demo has no id. */
const toReader = ({ id }: Viewer): string => id ?? 'demo';

const countUnread = async (orm: Executor, usdot: string, viewer: Viewer): Promise<number> => {
  const lastRead = orm
    .select({ id: alertReads.lastAlertId })
    .from(alertReads)
    .where(and(eq(alertReads.reader, toReader(viewer)), eq(alertReads.usdot, usdot)));
  const unread = orm
    .select({ id: alerts.id })
    .from(alerts)
    .where(and(isVisible(usdot, viewer), gt(alerts.id, sql`coalesce((${lastRead}), 0)`)))
    .limit(MAX_UNREAD)
    .as('unread');
  const [row] = await orm.select({ unread: count() }).from(unread);
  return row!.unread;
};

/** One page of a fleet's alerts, newest first, and how many of all are unread. */
export const listAlerts = async (
  { database, viewer, history }: Pick<ActionContext, 'database' | 'viewer'> & { history: object | null },
  usdot: string,
  { before, open }: z.infer<typeof alertsQuerySchema>,
): Promise<AlertPage> => {
  const { orm } = await database.open();
  const [rows, unread] = await Promise.all([
    orm
      .select()
      .from(alerts)
      .where(
        and(
          isVisible(usdot, viewer),
          before === undefined ? undefined : lt(alerts.id, before),
          open === undefined ? undefined : isNull(alerts.closedMs),
        ),
      )
      .orderBy(desc(alerts.id))
      .limit(ALERTS_A_PAGE + 1),
    countUnread(orm, usdot, viewer),
  ]);
  return {
    alerts: rows.slice(0, ALERTS_A_PAGE).map(toAlert),
    hasMore: rows.length > ALERTS_A_PAGE,
    unread,
    isRecorded: history !== null,
  };
};

/** Marks the alerts up to one as read by the viewer; earlier ones stay read. */
export const markAlertsRead = async (
  { database, viewer }: Pick<ActionContext, 'database' | 'viewer'>,
  usdot: string,
  lastAlertId: number,
): Promise<void> => {
  const { orm } = await database.open();
  // Those that are still to come stay unread.
  const newest = orm
    .select({ id: sql`coalesce(max(${alerts.id}), 0)` })
    .from(alerts)
    .where(eq(alerts.usdot, usdot));
  const lastRead = sql`least(${lastAlertId}::int8, (${newest}))`;
  await orm
    .insert(alertReads)
    .values({ reader: toReader(viewer), usdot, lastAlertId: lastRead })
    .onConflictDoUpdate({
      target: [alertReads.reader, alertReads.usdot],
      set: { lastAlertId: sql`greatest(${alertReads.lastAlertId}, excluded.last_alert_id)` },
    });
};

/**
 * Takes an alert on, with a note that may be empty.
 * @throws AppError 'unknown-alert', 'alert-acknowledged' with who was first
 */
export const acknowledgeAlert = async (
  context: ActionContext,
  usdot: string,
  alertId: string,
  note: string,
): Promise<Alert> => {
  const { viewer, clock } = context;
  const id = toId(alertId);
  if (id === null) throw new AppError('unknown-alert');
  return change(context, 'alert.acknowledge', async (tx, record) => {
    const [row] = await tx
      .select()
      .from(alerts)
      .where(and(isVisible(usdot, viewer), eq(alerts.id, id)))
      .for('update');
    if (row === undefined) throw new AppError('unknown-alert');
    if (row.acknowledgedBy !== null)
      throw new AppError('alert-acknowledged', {
        detail: `${row.acknowledgedBy} has acknowledged this alert.`,
      });
    const acknowledged = { acknowledgedBy: viewer.name, acknowledgedMs: clock.nowMs(), note: note || null };
    await tx.update(alerts).set(acknowledged).where(eq(alerts.id, id));
    const { ruleName, unit } = row;
    await record(ruleName, { usdot, id, unit, note });
    return toAlert({ ...row, ...acknowledged });
  });
};
