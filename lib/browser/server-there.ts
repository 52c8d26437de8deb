/** A server that does not answer within this time, as one behind a dead network, counts as away. */
const TIMEOUT_MS = 20_000;

/** Whether our server answers, whatever the status. */
export const isServerThere = (): Promise<boolean> =>
  fetch('/api/health/live', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    () => true,
    () => false,
  );
