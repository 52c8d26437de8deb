import 'server-only';
import type { Accounts } from '@/lib/auth/server/accounts';
import type { ClusterConnection } from '@/lib/cluster/server/connection';
import type { Log } from '@/lib/ops/log';

interface Applied {
  accounts: Pick<Accounts, 'applyChange'>;
  watch: { reload: (usdot: string) => void };
  /** The fleets that this server polls. */
  listPolled: () => string[];
  /** Composes this server again from the stored source of the fleets. */
  reload: () => Promise<void>;
  log: Log;
}

/** Applies the changes by other servers to this one, until the returned function is called. */
export const followChanges = (
  cluster: ClusterConnection,
  { accounts, watch, listPolled, reload, log }: Applied,
): (() => void) => {
  // A change of sites or alert rules may have been missed; of the others, PostgreSQL has a number.
  const stopReturning = cluster.onReturn(() => listPolled().forEach((usdot) => watch.reload(usdot)));
  const stopListening = cluster.listen((envelope) => {
    const { message } = envelope;
    if (cluster.isOwn(envelope)) return;
    switch (message.kind) {
      case 'watch':
        return watch.reload(message.usdot);
      case 'source':
        return void reload().catch((error: unknown) =>
          log.error({ err: error }, 'The new source of the fleets cannot be read.'),
        );
      case 'sessions':
      case 'screens':
      case 'settings':
        return accounts.applyChange(message);
    }
  });
  return () => {
    stopReturning();
    stopListening();
  };
};
