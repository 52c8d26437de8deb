import 'server-only';
import {
  and,
  arrayContained,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  ilike,
  inArray,
  isNull,
  lt,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import type { AuditFilterInput } from './schema';
import { auditLog } from './tables';
import { users } from '@/lib/database/tables';

/** One entry of the audit log. No field holds a secret. */
export type AuditRecord = typeof auditLog.$inferSelect;

export interface AuditQuery extends AuditFilterInput {
  /** Entries older than this id, for the next page. */
  beforeId?: number | undefined;
  /** Only entries by and about users who see no fleet outside these USDOT numbers; null: all entries. */
  usdots: string[] | null;
  limit: number;
}

/** Escapes a text so that ILIKE matches it literally. */
const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Users who see no fleet outside these USDOT numbers. */
const within = (orm: Executor, usdots: string[], column: typeof users.id | typeof users.email) =>
  orm.select({ it: column }).from(users).where(arrayContained(users.usdots, usdots));

/** An entry, with which of its fields are in the requested scope. */
export interface ScopedAuditRecord extends AuditRecord {
  isActorWithin: boolean;
  isSubjectWithin: boolean;
}

/** Whether details name no fleet outside the scope; as in their `usdots`, null means all fleets. */
const toDetailsWithin = (usdots: string[]): SQL<boolean> => {
  const scope = sql`${JSON.stringify(usdots)}::jsonb`;
  const { details } = auditLog;
  return sql`(coalesce(${details} -> 'usdot' <@ ${scope}, true) and (coalesce(${details} -> 'usdots' <@ ${scope}, true)
    or coalesce(${details} #> '{usdots,before}' <@ ${scope} and ${details} #> '{usdots,after}' <@ ${scope}, false)))`;
};

/**
 * Which entries a scope includes, and which of their fields. An actor is in scope if it is a user who sees no other
 * fleet or if there is no actor. A subject is in scope if it is such a user, or if it is not a user and the details name
 * no other fleet.
 */
const toScope = (orm: Executor, usdots: string[] | null) => {
  const all = { lines: undefined, actor: sql<boolean>`true`, subject: sql<boolean>`true` };
  if (usdots === null) return all;
  const isOwnActor = inArray(auditLog.actorId, within(orm, usdots, users.id));
  const isOwnSubject = inArray(auditLog.subject, within(orm, usdots, users.email));
  const isNoUser = notInArray(auditLog.subject, orm.select({ it: users.email }).from(users));
  return {
    lines: or(isOwnActor, isOwnSubject),
    actor: sql<boolean>`coalesce(${or(isNull(auditLog.actorId), isOwnActor)}, false)`,
    subject: sql<boolean>`coalesce(${or(isOwnSubject, and(isNoUser, toDetailsWithin(usdots)))}, false)`,
  };
};

/** Entries of the audit log, newest first. A search does not match names outside the scope. */
export const listAuditRecords = (orm: Executor, query: AuditQuery): Promise<ScopedAuditRecord[]> => {
  const { beforeId, fromMs, untilMs, action, who, usdots, outcome, limit } = query;
  const scope = toScope(orm, usdots);
  return orm
    .select({ ...getTableColumns(auditLog), isActorWithin: scope.actor, isSubjectWithin: scope.subject })
    .from(auditLog)
    .where(
      and(
        beforeId === undefined ? undefined : lt(auditLog.id, beforeId),
        fromMs === undefined ? undefined : gte(auditLog.atMs, fromMs),
        untilMs === undefined ? undefined : lt(auditLog.atMs, untilMs),
        action === undefined ? undefined : eq(auditLog.action, action),
        who === undefined
          ? undefined
          : or(
              and(ilike(auditLog.actor, toPattern(who)), scope.actor),
              and(ilike(auditLog.subject, toPattern(who)), scope.subject),
            ),
        scope.lines,
        outcome === undefined ? undefined : eq(auditLog.outcome, outcome),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);
};

export const listAuditActions = async (orm: Executor): Promise<string[]> => {
  const rows = await orm
    .selectDistinct({ action: auditLog.action })
    .from(auditLog)
    .orderBy(asc(auditLog.action));
  return rows.map(({ action }) => action);
};
