import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { insertAuditRecord, type AuditRecord } from './audit-repository';
import type { Database, Executor } from '@/lib/database/database';
import type { AuditAction } from './schema';
import type { Viewer } from '@/lib/base/viewer';

/** An action that was done or refused. No field may hold a secret. */
export interface AuditEvent {
  /** The actor; null if the client is not signed in, "server" for the server's own actions. */
  by: Viewer | 'server' | null;
  action: AuditAction;
  /** The subject by the name that managers see: an e-mail address, a key's name. */
  subject?: string;
  address?: string | null;
  outcome?: AuditRecord['outcome'];
  details?: Record<string, unknown> | null;
}

export interface Audit {
  /**
   * Writes an entry, in the given transaction if there is one. If the audit record cannot be written, the change is
   * rejected.
   * @throws database errors
   */
  record: (event: AuditEvent, tx?: Executor) => Promise<void>;
}

/** The stored actor of a client that is not signed in. Audit records cannot be changed, so the word stays. */
export const NO_ACTOR = 'nobody';

const toActor = (by: AuditEvent['by']): Pick<AuditRecord, 'actorId' | 'actor'> => {
  if (by === null) return { actorId: null, actor: NO_ACTOR };
  if (by === 'server') return { actorId: null, actor: 'server' };
  return { actorId: by.id, actor: by.email ?? by.name };
};

export const createAudit = ({ open, clock }: { open: () => Promise<Database>; clock: Clock }): Audit => ({
  record: async ({ by, action, subject = null, address = null, outcome = 'done', details = null }, tx) =>
    insertAuditRecord(tx ?? (await open()).orm, {
      ...toActor(by),
      atMs: clock.nowMs(),
      action,
      subject,
      address,
      outcome,
      details,
    }),
});
