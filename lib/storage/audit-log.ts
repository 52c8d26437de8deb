import 'server-only';
import { and, desc, eq, gte, lt } from 'drizzle-orm';
import type { Database } from './database';
import { auditLog } from './schema';

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
  actor?: string;
  outcome?: AuditLine['outcome'];
  limit: number;
}

export const insertAuditLine = async ({ orm }: Database, line: Omit<AuditLine, 'id'>): Promise<void> => {
  await orm.insert(auditLog).values(line);
};

/** Lines of the audit log, the newest first. */
export const listAuditLines = ({ orm }: Database, question: AuditQuestion): Promise<AuditLine[]> => {
  const { beforeId, fromMs, untilMs, action, actor, outcome, limit } = question;
  return orm
    .select()
    .from(auditLog)
    .where(
      and(
        beforeId === undefined ? undefined : lt(auditLog.id, beforeId),
        fromMs === undefined ? undefined : gte(auditLog.atMs, fromMs),
        untilMs === undefined ? undefined : lt(auditLog.atMs, untilMs),
        action === undefined ? undefined : eq(auditLog.action, action),
        actor === undefined ? undefined : eq(auditLog.actor, actor),
        outcome === undefined ? undefined : eq(auditLog.outcome, outcome),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);
};
