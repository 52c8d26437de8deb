import 'server-only';
import { and, asc, count, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import type { AlertOutbox } from '@/lib/recording/alert-writer';
import { alertKnownCases, alertReads, alerts } from './tables';
import { isSeenUnit } from '@/lib/access/unit-limit';
import type { AlertPage } from '../answers';
import {
  ALERTS_A_PAGE,
  MAX_NOTES_CHARACTERS,
  MAX_UNREAD,
  type AlertsChange,
  type alertsQuerySchema,
} from '../schema';
import type { Alert } from '@/lib/rules/alert-rule';
import { change, type ActionContext } from '@/lib/audit/audit';
import type { AuditAction } from '@/lib/audit/schema';
import type { Viewer } from '@/lib/base/viewer';
import { lockRules } from './rule-repository';
import { toId, toOwnerId, type RuleContext } from './rules';

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

/** How many open alerts are not acknowledged, by severity. */
const countWaiting = async (orm: Executor, usdot: string, viewer: Viewer): Promise<AlertPage['waiting']> => {
  const rows = await orm
    .select({ severity: alerts.severity, waiting: count() })
    .from(alerts)
    .where(and(isVisible(usdot, viewer), isNull(alerts.closedMs), isNull(alerts.acknowledgedBy)))
    .groupBy(alerts.severity);
  const counts = { info: 0, warning: 0, critical: 0 };
  for (const { severity, waiting } of rows) counts[severity] = waiting;
  return counts;
};

const RANK = sql`array_position(array['info', 'warning', 'critical'], ${alerts.severity})`;

/** One page of a fleet's alerts, newest first, and how many of all are unread or wait for someone. */
export const listAlerts = async (
  { database, viewer, history }: Pick<ActionContext, 'database' | 'viewer'> & { history: object | null },
  usdot: string,
  { before, open, waiting: isWaiting }: z.infer<typeof alertsQuerySchema>,
): Promise<AlertPage> => {
  const { orm } = await database.open();
  const [rows, unread, waiting] = await Promise.all([
    orm
      .select()
      .from(alerts)
      .where(
        and(
          isVisible(usdot, viewer),
          before === undefined ? undefined : lt(alerts.id, before),
          open === undefined && isWaiting === undefined ? undefined : isNull(alerts.closedMs),
          isWaiting === undefined ? undefined : isNull(alerts.acknowledgedBy),
        ),
      )
      .orderBy(...(isWaiting === undefined ? [] : [desc(RANK)]), desc(alerts.id))
      .limit(ALERTS_A_PAGE + 1),
    countUnread(orm, usdot, viewer),
    countWaiting(orm, usdot, viewer),
  ]);
  return {
    alerts: rows.slice(0, ALERTS_A_PAGE).map(toAlert),
    hasMore: rows.length > ALERTS_A_PAGE,
    unread,
    waiting,
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

/** A note under those before; of more than MAX_NOTES_CHARACTERS the oldest lines go, which the audit log keeps. */
export const addNote = (before: string | null, note: string): string => {
  const lines = [...(before?.split('\n') ?? []), note];
  while (lines.length > 1 && lines.join('\n').length > MAX_NOTES_CHARACTERS) lines.shift();
  return lines.join('\n');
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
    const notes = note === '' ? row.note : addNote(row.note, note);
    const acknowledged = { acknowledgedBy: viewer.name, acknowledgedMs: clock.nowMs(), note: notes };
    await tx.update(alerts).set(acknowledged).where(eq(alerts.id, id));
    const { ruleName, unit } = row;
    await record(ruleName, { usdot, id, unit, note });
    return toAlert({ ...row, ...acknowledged });
  });
};

type Row = typeof alerts.$inferSelect;

/** The changes of an alert that are not made yet, each with its entry of the audit log. */
const toChange = (
  row: Row,
  { isAcknowledged, isClosed, isReleased, note }: AlertsChange,
  by: string,
  nowMs: number,
) => {
  const changed: Partial<Row> = {};
  const actions: AuditAction[] = [];
  if (isAcknowledged && row.acknowledgedBy === null) {
    Object.assign(changed, { acknowledgedBy: by, acknowledgedMs: nowMs });
    actions.push('alert.acknowledge');
  }
  if (isReleased === true && row.acknowledgedBy === by) {
    Object.assign(changed, { acknowledgedBy: null, acknowledgedMs: null });
    actions.push('alert.release');
  }
  if (isClosed && row.closedMs === null) {
    Object.assign(changed, { closedMs: Math.max(nowMs, row.openedMs), closedBy: by });
    actions.push('alert.close');
  }
  // A note goes with what is done; of alerts that others have dealt with meanwhile it says nothing.
  const isNoted = note !== '' && (actions.length > 0 || !(isAcknowledged || isClosed));
  if (isNoted) changed.note = addNote(row.note, note);
  if (isNoted && actions.length === 0) actions.push('alert.note');
  return { row, changed, actions };
};

/** Cases whose alerts are closed by hand open no other until they have ended. */
const addKnownCases = async (tx: Executor, closed: readonly Row[], knownMs: number): Promise<void> => {
  const known = closed.flatMap(({ ruleId, unit, facts: { siteId, sinceMs } }) =>
    ruleId === null ? [] : [{ ruleId, unit, knownMs, siteId, sinceMs, isByHand: true }],
  );
  if (known.length > 0) await tx.insert(alertKnownCases).values(known).onConflictDoNothing();
};

/** Acknowledges, notes or closes alerts together, in one transaction; those that the viewer does not see stay as they are. */
export const changeAlerts = async (
  context: RuleContext & { messages: { outbox: AlertOutbox } | null },
  usdot: string,
  input: AlertsChange,
): Promise<{ changed: number; unchanged: number }> => {
  const { viewer, clock, messages } = context;
  const ids = [...new Set(input.alertIds)];
  const counts = await change(context, 'alert.acknowledge', async (tx, record) => {
    // The recording of a poll opens and closes alerts under the same lock.
    await lockRules(tx, usdot);
    const nowMs = clock.nowMs();
    const rows = await tx
      .select()
      .from(alerts)
      .where(and(isVisible(usdot, viewer), sql`${alerts.id} = any(${sql.param(ids)}::int8[])`))
      .orderBy(asc(alerts.id))
      .for('update');
    const changes = rows
      .map((row) => toChange(row, input, viewer.name, nowMs))
      .filter(({ actions }) => actions.length > 0);
    for (const { row, changed, actions } of changes) {
      await tx.update(alerts).set(changed).where(eq(alerts.id, row.id));
      const details = {
        usdot,
        id: row.id,
        unit: row.unit,
        ...(changed.note !== undefined && { note: input.note }),
      };
      for (const action of actions) await record(row.ruleName, details, action);
    }
    const closed = changes.filter(({ changed }) => changed.closedBy !== undefined).map(({ row }) => row);
    await addKnownCases(tx, closed, nowMs);
    await messages?.outbox.add(
      tx,
      closed.map(({ id }) => ({ alertId: id, event: 'closed' })),
    );
    return { changed: changes.length, unchanged: ids.length - changes.length };
  });
  if (input.isClosed) context.watch?.reload(usdot);
  return counts;
};
