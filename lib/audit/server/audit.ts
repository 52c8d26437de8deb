import 'server-only';
import { insertAuditLine } from './audit-repository';
import type { AuditLine } from './audit-repository';
import type { Database, Executor } from '@/lib/postgres/database';
import type { AuditAction } from '@/lib/audit/schema';
import type { Viewer } from '@/lib/auth/viewer';

/** An action that was done or refused. No field may hold a secret. */
export interface AuditEvent {
  /** The actor; null if the client is not signed in, "server" for the server's own actions. */
  by: Viewer | 'server' | null;
  action: AuditAction;
  /** The subject by a name that a manager knows: an e-mail address, a key's name. */
  subject?: string;
  address?: string | null;
  outcome?: AuditLine['outcome'];
  details?: Record<string, unknown> | null;
}

export interface Audit {
  /**
   * Writes an entry, in the given transaction if there is one. If the audit record cannot be written, the change is
   * rejected.
   * @throws database errors
   */
  note: (event: AuditEvent, tx?: Executor) => Promise<void>;
}

const toActor = (by: AuditEvent['by']): Pick<AuditLine, 'actorId' | 'actor'> => {
  if (by === null) return { actorId: null, actor: 'nobody' };
  if (by === 'server') return { actorId: null, actor: 'server' };
  return { actorId: by.id, actor: by.email ?? by.name };
};

export const createAudit = ({ open, now }: { open: () => Promise<Database>; now: () => number }): Audit => ({
  note: async ({ by, action, subject = null, address = null, outcome = 'done', details = null }, tx) =>
    insertAuditLine(tx ?? (await open()).orm, {
      ...toActor(by),
      atMs: now(),
      action,
      subject,
      address,
      outcome,
      details,
    }),
});
