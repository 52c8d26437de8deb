import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { AuditRecord } from './audit-repository';
import { auditLog } from './tables';
import type { Database, Executor } from '@/lib/database/database';
import type { AuditAction } from '@/lib/audit/schema';
import type { Viewer, Client } from '@/lib/base/viewer';
import type { ApplicationDatabase } from '@/lib/database/open-accounts';

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
  /** Writes an entry, in the transaction if there is one; a failure rejects the change. @throws database errors */
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
  record: async ({ by, action, subject = null, address = null, outcome = 'done', details = null }, tx) => {
    const { orm } = tx ? { orm: tx } : await open();
    const about = { action, subject, address, outcome, details };
    await orm.insert(auditLog).values({ ...toActor(by), atMs: clock.nowMs(), ...about });
  },
});

/** The request of a viewer as the operations of features receive it: who acts, from where, and on what. */
export interface ActionContext {
  viewer: Viewer;
  client: Pick<Client, 'address'>;
  database: Pick<ApplicationDatabase, 'open'>;
  clock: Pick<Clock, 'nowMs'>;
  audit: Audit;
}

/** The viewer of a request and where it came from, for operations that have a database of their own. */
export type Requester = Pick<ActionContext, 'viewer' | 'client'>;

/** Writes an audit record of a change; `details` holds no secret, and names the fleet as `usdot`. */
export type RecordAction = (
  subject?: string,
  details?: Record<string, unknown>,
  /** Another action than that of the change. */
  action?: AuditAction,
) => Promise<void>;

/** The fields in which two values differ, each before and after, as details for the audit log. */
export const listChanges = <Field extends string>(
  before: Readonly<Record<Field, unknown>>,
  after: Readonly<Record<Field, unknown>>,
  fields: readonly Field[],
): Record<string, { before: unknown; after: unknown }> =>
  Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, { before: before[field], after: after[field] }]),
  );

/** Writes audit records of a viewer's action in a transaction. */
export const recorderOf =
  (
    { viewer, client, audit }: Omit<ActionContext, 'clock' | 'database'>,
    action: AuditAction,
    tx: Executor,
  ): RecordAction =>
  (subject, details, other = action) =>
    audit.record({ by: viewer, action: other, subject, address: client.address, details }, tx);

/** Runs a change with its audit records in one transaction. @throws AppError 'accounts-unavailable' */
export const change = async <T>(
  context: Omit<ActionContext, 'clock'>,
  action: AuditAction,
  work: (tx: Executor, record: RecordAction) => Promise<T>,
): Promise<T> => {
  const { orm } = await context.database.open();
  return orm.transaction((tx) => work(tx, recorderOf(context, action, tx)));
};
