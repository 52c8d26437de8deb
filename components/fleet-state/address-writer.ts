import { parseViewState, toViewSearch } from '@/lib/view/view-state';
import type { ViewStore } from './view-store';

/** Browsers slow down or refuse pages that change their address dozens of times a second. */
const QUIET_MS = 300;
/** Every entry of the history that was written here carries a mark of its own under this name. */
const MARK = 'linehaulView';

let marks = 0;
const createMark = (): string => `${performance.timeOrigin}.${(marks += 1)}`;
const readMark = (): unknown => (window.history.state as Record<string, unknown> | null)?.[MARK];

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/** Whether the click is on a link to another page of ours. */
const isOtherPage = (target: EventTarget | null, path: string): boolean => {
  const link = target instanceof Element ? target.closest('a') : null;
  if (link === null || link.target === '_blank') return false;
  return link.origin === window.location.origin && link.pathname !== path;
};

/**
 * Writes the view into the address of the page that is open, and reads it from there on back and forward,
 * until it is stopped.
 */
export const createAddressWriter = (store: ViewStore) => {
  const path = window.location.pathname;
  let written = window.location.search;
  let mark = readMark();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeaving = false;

  const write = (how: 'pushState' | 'replaceState', search: string): void => {
    mark = createMark();
    window.history[how]({ [MARK]: mark }, '', `${path}${search}`);
    // Read back: a browser may spell it otherwise.
    written = window.location.search;
  };

  const replace = (search: string): void => {
    clearTimeout(timer);
    timer = undefined;
    if (search !== written) write('replaceState', search);
  };

  const unsubscribe = store.subscribe((view, change, before) => {
    if (change === 'address') return;
    if (change === 'leaving') {
      replace(toViewSearch(view));
      isLeaving = true;
      return;
    }
    if (change === 'quiet') {
      // The router gives up a page that is on its way as soon as an address is written.
      if (isLeaving) return;
      clearTimeout(timer);
      timer = setTimeout(() => replace(toViewSearch(store.read())), QUIET_MS);
      return;
    }
    isLeaving = false;
    // The entry that "back" returns to holds the whole view that is left.
    replace(toViewSearch(before));
    write('pushState', toViewSearch(view));
  });

  const adoptAddress = (): void => {
    const { search } = window.location;
    clearTimeout(timer);
    timer = undefined;
    isLeaving = false;
    written = search;
    mark = readMark();
    store.adopt(parseViewState(search));
    // What was not understood goes, so that the address says what is shown.
    replace(toViewSearch(store.read()));
  };

  const onClick = (event: MouseEvent): void => {
    if (isPlainClick(event) && isOtherPage(event.target, path)) store.leave();
  };
  // Before the link itself hears of the click.
  document.addEventListener('click', onClick, { capture: true });

  const onPopState = (): void => {
    if (window.location.pathname === path) return adoptAddress();
    // What waits to be written belongs to an entry that is no longer the current one.
    clearTimeout(timer);
    isLeaving = true;
  };
  // From the browser itself: to a router that has not caught up, going back may look like having stayed.
  window.addEventListener('popstate', onPopState);

  return {
    adoptAddress,
    // By the mark too: a router that catches up late puts back, for a moment, an older address of our own.
    isForeign: () =>
      window.location.pathname === path &&
      window.location.search !== written &&
      (mark === undefined || readMark() !== mark),
    stop: () => {
      clearTimeout(timer);
      window.removeEventListener('popstate', onPopState);
      document.removeEventListener('click', onClick, { capture: true });
      unsubscribe();
      store.leaveAddress();
    },
  };
};
export type AddressWriter = ReturnType<typeof createAddressWriter>;
