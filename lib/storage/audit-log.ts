import 'server-only';
import { and, arrayContained, asc, desc, eq, gte, ilike, inArray, lt, or } from 'drizzle-orm';
import type { Database, Executor } from './database';
import { auditLog, users } from './schema';

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

/** Lines of the audit log, the newest first. */
export const listAuditLines = ({ orm }: Database, question: AuditQuestion): Promise<AuditLine[]> => {
  const { beforeId, fromMs, untilMs, action, who, usdots, outcome, limit } = question;
  return orm
    .select()
    .from(auditLog)
    .where(
      and(
        beforeId === undefined ? undefined : lt(auditLog.id, beforeId),
        fromMs === undefined ? undefined : gte(auditLog.atMs, fromMs),
        untilMs === undefined ? undefined : lt(auditLog.atMs, untilMs),
        action === undefined ? undefined : eq(auditLog.action, action),
        who === undefined
          ? undefined
          : or(ilike(auditLog.actor, toPattern(who)), ilike(auditLog.subject, toPattern(who))),
        usdots === null
          ? undefined
          : or(
              inArray(auditLog.actorId, within(orm, usdots, users.id)),
              inArray(auditLog.subject, within(orm, usdots, users.email)),
            ),
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
