import 'server-only';
import type { SignIn } from './sign-in';
import type { Clock } from '@/lib/base/clock';
import type { ClusterConnection } from '@/lib/cluster/server/connection';
import type { Log } from '@/lib/base/log';

interface Applied {
  applyChange: SignIn['applyChange'];
  watch: { reload: (usdot: string) => void };
  listPolled: () => string[];
  /** Composes this server again if the stored source of the fleets is another one. */
  reload: () => Promise<void>;
  clock: Clock;
  log: Log;
}

const RETRY_MS = 5000;

/** Applies the changes by other servers to this one, until the returned function is called. */
export const followChanges = (
  cluster: ClusterConnection,
  { applyChange, watch, listPolled, reload, clock, log }: Applied,
): (() => void) => {
  let isStopped = false;
  let cancelRetry = (): void => undefined;
  const reloadSource = (): void =>
    void reload().catch((error: unknown) => {
      if (isStopped) return;
      log.error({ err: error }, 'The new source of the fleets cannot be read; trying again.');
      // One retry serves all changes that failed.
      cancelRetry();
      cancelRetry = clock.setTimer(reloadSource, RETRY_MS);
    });
  // Changes may have been missed. PostgreSQL has a number of those that `applyChange` applies.
  const stopReturning = cluster.onReturn(() => {
    for (const usdot of listPolled()) watch.reload(usdot);
    reloadSource();
  });
  const stopListening = cluster.listen((envelope) => {
    const { message } = envelope;
    if (cluster.isOwn(envelope)) return;
    switch (message.kind) {
      case 'watch':
        return watch.reload(message.usdot);
      case 'source':
        return reloadSource();
      case 'sessions':
      case 'screens':
      case 'settings':
        return applyChange(message);
    }
  });
  return () => {
    isStopped = true;
    cancelRetry();
    stopReturning();
    stopListening();
  };
};
