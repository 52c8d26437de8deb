import { browserStore } from '@/lib/base/stored';

/** A stored moment so far after an alert is not of another tab, but damaged, or of a server whose clock was wrong. */
const MOST_AHEAD_MS = 3_600_000;

interface ClaimDeps {
  store: { get: (key: string) => string | null; set: (key: string, value: string) => unknown };
  /** The locks of the browser's tabs; undefined where it has none. */
  locks: Pick<LockManager, 'request'> | undefined;
}

const readDeps = (): ClaimDeps => ({
  store: browserStore,
  locks: 'locks' in navigator ? navigator.locks : undefined,
});

/** Runs `work` while no other tab holds the lock. Without TLS, or where storage is forbidden, a browser has no locks. */
const withLock = async <T>(locks: ClaimDeps['locks'], name: string, work: () => Promise<T>): Promise<T> => {
  let isRun = false;
  const run = (): Promise<T> => {
    isRun = true;
    return work();
  };
  try {
    return locks === undefined ? await run() : await locks.request(name, run);
  } catch (error) {
    if (isRun) throw error;
    return run();
  }
};

/**
 * Has one of the browser's tabs make alerts up to a moment heard: the first that can. The moment is recorded under `key`
 * once `perform` has resolved to true, so that a tab whose browser forbids it leaves it to the others. Times and not
 * ids, which begin again with another database.
 *
 * @param newestMs when the newest alert was opened, Unix ms
 */
export const performOnce = (
  key: string,
  newestMs: number,
  perform: () => Promise<boolean>,
  { store, locks } = readDeps(),
): Promise<void> =>
  withLock(locks, key, async () => {
    const heardMs = Number(store.get(key) ?? 0);
    if (heardMs >= newestMs && heardMs - newestMs < MOST_AHEAD_MS) return;
    if (await perform()) store.set(key, String(newestMs));
  });
