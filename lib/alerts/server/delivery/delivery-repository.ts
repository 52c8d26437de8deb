import 'server-only';
import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { alertDeliveries, alertPreferences, alerts } from '../tables';
import type { DeliveryChannel } from '../../schema';
import { toAlert } from '../alerts';
import type { Queued } from '../outbox';
import type { Delivery } from './delivery';

const MAX_REMOVED = 10_000;
const isPending = eq(alertDeliveries.state, 'pending');

/** A condition on many ids with one parameter. */
const isOneOf = (ids: readonly string[]) => sql`${alertDeliveries.id} = any(${sql.param([...ids])}::text[])`;

const readDeliveries = async (orm: Executor, where: ReturnType<typeof and>): Promise<Delivery[]> => {
  const rows = await orm
    .select({ delivery: alertDeliveries, alert: alerts })
    .from(alertDeliveries)
    .innerJoin(alerts, eq(alerts.id, alertDeliveries.alertId))
    .where(where)
    .orderBy(alertDeliveries.alertId);
  return rows.map(({ delivery: { id, event, channel, target, attempts, createdMs }, alert }) => ({
    ...{ id, event, channel, target, attempts, createdMs },
    usdot: alert.usdot,
    alert: toAlert(alert),
  }));
};

/** Filters deliveries, keeping the pending ones. */
export const readPending = (orm: Executor, ids: readonly string[]): Promise<Delivery[]> =>
  readDeliveries(orm, and(isPending, isOneOf(ids)));

export const readPendingOf = (orm: Executor, channel: DeliveryChannel, target: string): Promise<Delivery[]> =>
  readDeliveries(
    orm,
    and(isPending, eq(alertDeliveries.channel, channel), eq(alertDeliveries.target, target)),
  );

export interface AttemptOutcome {
  state: 'pending' | 'sent' | 'failed';
  error: string | null;
  /** Whether it was tried: not where it is only put off. */
  isAttempt: boolean;
}

export interface DeliveryOutcome {
  ids: readonly string[];
  outcome: AttemptOutcome;
}

/** Notes what became of deliveries that are not sent yet, in one statement. */
export const writeOutcomes = async (
  tx: Executor,
  outcomes: readonly DeliveryOutcome[],
  nowMs: number,
): Promise<void> => {
  const rows = outcomes.flatMap(({ ids, outcome }) => ids.map((id) => ({ id, ...outcome })));
  const column = (name: keyof (typeof rows)[number]) => sql.param(rows.map((row) => row[name]));
  await tx.execute(sql`
    update linehaul.alert_deliveries d
    set state = o.state, updated_ms = ${nowMs}::int8, attempts = d.attempts + o.is_attempt::int,
      last_error = case when o.is_attempt then o.error else d.last_error end
    from unnest(${column('id')}::text[], ${column('state')}::text[], ${column('error')}::text[],
      ${column('isAttempt')}::bool[]) o (id, state, error, is_attempt)
    where d.id = o.id and d.state = 'pending'`);
};

export const listDeliveriesOf = (orm: Executor, webhookId: string, most: number) =>
  orm
    .select({
      id: alertDeliveries.id,
      event: alertDeliveries.event,
      alertId: alertDeliveries.alertId,
      ruleName: alerts.ruleName,
      unitName: sql<string | null>`${alerts.facts} ->> 'unitName'`,
      severity: alerts.severity,
      state: alertDeliveries.state,
      attempts: alertDeliveries.attempts,
      lastError: alertDeliveries.lastError,
      createdMs: alertDeliveries.createdMs,
      updatedMs: alertDeliveries.updatedMs,
    })
    .from(alertDeliveries)
    .innerJoin(alerts, eq(alerts.id, alertDeliveries.alertId))
    .where(and(eq(alertDeliveries.target, webhookId), eq(alertDeliveries.channel, 'webhook')))
    .orderBy(desc(alertDeliveries.createdMs), desc(alertDeliveries.id))
    .limit(most);

/** Fails deliveries from before `tooOldMs`; returns those without a job, which were not touched since `untouchedMs`. */
export const sweepPending = async (
  tx: Executor,
  { untouchedMs, tooOldMs, nowMs }: { untouchedMs: number; tooOldMs: number; nowMs: number },
): Promise<Queued[]> => {
  await tx
    .update(alertDeliveries)
    .set({ state: 'failed', lastError: 'It could not be sent in time.', updatedMs: nowMs })
    .where(
      and(isPending, lt(alertDeliveries.createdMs, tooOldMs), lt(alertDeliveries.updatedMs, untouchedMs)),
    );
  const rows = await tx
    .select({
      id: alertDeliveries.id,
      channel: alertDeliveries.channel,
      target: alertDeliveries.target,
      preferences: alertPreferences.preferences,
    })
    .from(alertDeliveries)
    .leftJoin(alertPreferences, eq(alertPreferences.userId, alertDeliveries.target))
    .where(and(isPending, lt(alertDeliveries.updatedMs, untouchedMs)));
  return rows.map(({ preferences, ...row }) => ({
    ...row,
    isDigest: row.channel === 'email' && preferences?.email === 'digest',
  }));
};

/** Removes what is older than it is kept, some of it at a time; returns whether there may be more. */
export const pruneAlerts = async (
  orm: Executor,
  { deliveriesBeforeMs, alertsBeforeMs }: { deliveriesBeforeMs: number; alertsBeforeMs: number },
): Promise<boolean> => {
  const oldDeliveries = orm
    .select({ id: alertDeliveries.id })
    .from(alertDeliveries)
    .where(and(lt(alertDeliveries.updatedMs, deliveriesBeforeMs), sql`${alertDeliveries.state} <> 'pending'`))
    .limit(MAX_REMOVED);
  const oldAlerts = orm
    .select({ id: alerts.id })
    .from(alerts)
    .where(lt(alerts.closedMs, alertsBeforeMs))
    .limit(MAX_REMOVED);
  const deliveries = await orm.delete(alertDeliveries).where(inArray(alertDeliveries.id, oldDeliveries));
  const removed = await orm.delete(alerts).where(inArray(alerts.id, oldAlerts));
  return Math.max(deliveries.rowCount ?? 0, removed.rowCount ?? 0) === MAX_REMOVED;
};
