import { CopyKeeper } from '@/lib/live/offline/copy-keeper';
import { canCopy, writeFleet, writePage, type Writer } from '@/lib/live/offline/storage';

/** Where the browser has service workers: not without TLS, and not where they are forbidden. */
const registerServiceWorker = async (): Promise<void> => {
  if ('serviceWorker' in navigator) await navigator.serviceWorker.register('/service-worker.js');
};

/** The keeper of a page's copies. */
export const createKeeper = (writer: Writer): CopyKeeper =>
  new CopyKeeper({
    build: writer.build,
    start: async () => {
      if (!(await canCopy())) return;
      await writePage(writer);
      await registerServiceWorker();
    },
    write: (copy) => writeFleet(copy, writer),
    now: () => performance.now(),
    // The screen works without a copy: this is for the console. Firefox gives up a write as the page is left.
    onError: (error) => {
      if (!(error instanceof DOMException && error.name === 'AbortError')) reportError(error);
    },
  });
