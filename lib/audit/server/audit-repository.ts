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
} from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Database, Executor } from '@/lib/postgres/database';
import { auditLog, users } from '@/lib/postgres/schema';

/** One line of the audit log. None of it is ever a secret. */
export interface AuditLine {
  id: number;
  atMs: number;
  /** Null where nobody was signed in. */
  actorId: string | null;
  /** Who, in words: an e-mail address, "demo", "server". */
  actor: string;
  /** What, as "sign-in" or "user.disable". */
  action: string;
  /** On whom or what, in words. */
  subject: string | null;
  /** The client's network address. */
  address: string | null;
  outcome: 'done' | 'refused';
  details: Record<string, unknown> | null;
}

export interface AuditQuestion {
  /** Lines before this one: how the next page is asked for. */
  beforeId?: number;
  fromMs?: number;
  untilMs?: number;
  action?: string;
  /** Part of the name of who did it, or of on whom it was done. */
  who?: string;
  /** Only lines of and on users who see no fleet but these USDOT numbers'; null: all lines. */
  usdots: string[] | null;
  outcome?: AuditLine['outcome'];
  limit: number;
}

export const insertAuditLine = async (orm: Executor, line: Omit<AuditLine, 'id'>): Promise<void> => {
  await orm.insert(auditLog).values(line);
};

/** For a text that ILIKE is to find as it stands. */
const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Users who see no fleet but these. */
const within = (orm: Executor, usdots: string[], column: typeof users.id | typeof users.email) =>
  orm.select({ it: column }).from(users).where(arrayContained(users.usdots, usdots));

/** A line, and what of it is within the scope that was asked for. */
export interface ScopedAuditLine extends AuditLine {
  isActorWithin: boolean;
  isSubjectWithin: boolean;
}

/** Whether details name no fleet beyond the scope; as their `usdots`, null means all fleets. */
const toDetailsWithin = (usdots: string[]): SQL<boolean> => {
  const scope = sql`${JSON.stringify(usdots)}::jsonb`;
  const { details } = auditLog;
  return sql`(coalesce(${details} -> 'usdot' <@ ${scope}, true) and (coalesce(${details} -> 'usdots' <@ ${scope}, true)
    or coalesce(${details} #> '{usdots,before}' <@ ${scope} and ${details} #> '{usdots,after}' <@ ${scope}, false)))`;
};

/**
 * Which lines a scope has, and what of each is within it. An actor is within the scope as a user who sees no other fleet,
 * or where there is none. So is a subject, and one that is no user where the details name no other fleet.
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

/** Lines of the audit log, the newest first. Nothing is found by a name that is beyond the scope. */
export const listAuditLines = ({ orm }: Database, question: AuditQuestion): Promise<ScopedAuditLine[]> => {
  const { beforeId, fromMs, untilMs, action, who, usdots, outcome, limit } = question;
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

/** Every action of which there is a line. */
export const listAuditActions = async ({ orm }: Database): Promise<string[]> => {
  const rows = await orm
    .selectDistinct({ action: auditLog.action })
    .from(auditLog)
    .orderBy(asc(auditLog.action));
  return rows.map(({ action }) => action);
};
