import { useEffect, useMemo } from 'react';
import type { LiveReading } from '@/lib/browser/live-reader';
import { CopyKeeper } from '@/lib/offline/copy-keeper';
import { canCopy, toOwner, writeFleet, writePage } from '@/lib/offline/storage';
import type { Writer } from '@/lib/offline/storage';
import { useViewer } from './viewer-context';

/** Where the browser has service workers: not without TLS, and not where they are forbidden. */
const registerServiceWorker = async (): Promise<void> => {
  if ('serviceWorker' in navigator) await navigator.serviceWorker.register('/service-worker.js');
};

const createKeeper = (writer: Writer): CopyKeeper =>
  new CopyKeeper({
    build: writer.build,
    start: async () => {
      if (!(await canCopy())) return;
      await writePage(writer);
      await registerServiceWorker();
    },
    write: (copy) => writeFleet(copy, writer),
    now: () => performance.now(),
    // The screen works without a copy: this is for the console.
    onError: (error) => reportError(error),
  });

/**
 * Keeps a copy of the fleet in this browser, and of the page that shows it, to be opened without a network.
 *
 * @param build the build that rendered the page; null in development, where nothing is kept
 */
export const useOfflineCopy = (usdot: string, build: string | null, reading: LiveReading): void => {
  const owner = toOwner(useViewer());
  const keeper = useMemo(
    () => (build === null ? null : createKeeper({ usdot, build, owner })),
    [usdot, build, owner],
  );

  useEffect(() => keeper?.offer(reading), [keeper, reading]);
  useEffect(() => {
    const leave = (): void => keeper?.leave();
    const onVisibility = (): void => {
      if (document.visibilityState === 'hidden') leave();
    };
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('pagehide', leave);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('pagehide', leave);
    };
  }, [keeper]);
};
