import { useEffect, useState } from 'react';
import type { LiveReading } from '@/lib/live/live-reader';
import type { CopyKeeper } from '@/lib/live/offline/copy-keeper';
import { toOwner } from '@/lib/browser/owner';
import { useViewer } from './viewer-context';

/** A page that opens has more important things to do. */
const FIRST_AFTER_MS = 5000;

/**
 * Keeps a copy of the fleet in this browser, and of the page that shows it, to be opened without a network.
 *
 * @param build the build that rendered the page; null in development, where nothing is kept
 */
export const useOfflineCopy = (usdot: string, build: string | null, reading: LiveReading): void => {
  const viewer = useViewer();
  const owner = toOwner(viewer);
  const isScreen = viewer.kind === 'screen';
  const [keeper, setKeeper] = useState<CopyKeeper | null>(null);

  useEffect(() => {
    if (build === null) return;
    let isLeft = false;
    const start = async (): Promise<void> => {
      const { createKeeper } = await import('./create-keeper');
      if (!isLeft) setKeeper(createKeeper({ usdot, build, owner, isScreen }));
    };
    const timer = setTimeout(() => void start().catch(reportError), FIRST_AFTER_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
      setKeeper(null);
    };
  }, [usdot, build, owner, isScreen]);

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
