import 'server-only';
import { insertAuditLine } from './audit-repository';
import type { AuditLine } from './audit-repository';
import type { Database, Executor } from '@/lib/postgres/database';
import type { AuditAction } from '@/lib/audit/schema';
import type { Viewer } from '@/lib/auth/viewer';

/** Something that was done, or was refused. Nothing of it may be a secret. */
export interface AuditEvent {
  /** Who; null where nobody is signed in, "server" for what it does by itself. */
  by: Viewer | 'server' | null;
  action: AuditAction;
  /** On whom or what, in words that a manager knows: an e-mail address, a key's name. */
  subject?: string;
  /** The client's network address. */
  address?: string | null;
  outcome?: AuditLine['outcome'];
  details?: Record<string, unknown> | null;
}

export interface Audit {
  /** Writes a line, as part of a transaction where one is given. @throws what the database does: what cannot be noted is not to be done */
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
