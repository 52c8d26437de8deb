import { useEffect } from 'react';
import { prepareSearch } from '@/lib/view/search';
import type { Fleet } from '@/lib/wire/fleet';

/** A slice that no frame notices, and how long to wait for the next. */
const SLICE_MS = 4;
const PAUSE_MS = 16;

/** Makes the search of a fleet ready in the background, before anybody types. */
export const usePreparedSearch = (fleet: Fleet | null): void => {
  useEffect(() => {
    if (fleet === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const prepareSome = (): void => {
      const endMs = performance.now() + SLICE_MS;
      if (prepareSearch(fleet, () => performance.now() < endMs)) return;
      timer = setTimeout(prepareSome, PAUSE_MS);
    };
    timer = setTimeout(prepareSome, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [fleet]);
};
