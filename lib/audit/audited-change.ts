import 'server-only';
import type { AuditAction } from './schema';
import type { Client, Viewer } from '@/lib/base/viewer';
import type { Runtime } from '@/lib/access/runtime';
import type { Executor } from '@/lib/database/database';

/** A request that changes something: what a route handler gets. */
export interface Change {
  runtime: Pick<Runtime, 'clock' | 'watch'> & { accounts: Pick<Runtime['accounts'], 'open' | 'audit'> };
  viewer: Viewer;
  client: Pick<Client, 'address'>;
}

/** Writes an audit record of the change. `details` holds no secret, and names the fleet as `usdot`. */
type RecordAction = (action: AuditAction, subject: string, details: Record<string, unknown>) => Promise<void>;

/** Runs a change and writes its audit records in one transaction. @throws AppError 'accounts-unavailable' */
export const inAuditedChange = async <T>(
  { runtime: { accounts }, viewer, client }: Change,
  work: (tx: Executor, record: RecordAction) => Promise<T>,
): Promise<T> => {
  const { orm } = await accounts.open();
  return orm.transaction((tx) =>
    work(tx, (action, subject, details) =>
      accounts.audit.record({ by: viewer, action, subject, address: client.address, details }, tx),
    ),
  );
};
