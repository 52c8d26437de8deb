import 'server-only';
import type { Audit } from './audit';
import type { Clock } from '@/lib/base/clock';
import type { Client, Viewer } from '@/lib/base/viewer';
import type { ApplicationDatabase } from '@/lib/database/open-accounts';
import type { Executor } from '@/lib/database/database';
import type { AuditAction } from './schema';

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

/**
 * Runs a change and writes its audit records in one transaction: if a record cannot be written, the change is rejected.
 * @throws AppError 'accounts-unavailable'
 */
export const change = async <T>(
  { viewer, client, database, audit }: Omit<ActionContext, 'clock'>,
  action: AuditAction,
  work: (tx: Executor, record: RecordAction) => Promise<T>,
): Promise<T> => {
  const { orm } = await database.open();
  return orm.transaction((tx) =>
    work(tx, (subject, details, other = action) =>
      audit.record({ by: viewer, action: other, subject, address: client.address, details }, tx),
    ),
  );
};
