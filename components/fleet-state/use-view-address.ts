import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { readLocation } from '@/lib/browser/history-limit';
import { parseViewState, toViewSearch } from '@/lib/view/view-state';
import { useViewStore } from './fleet-context';
import type { ViewListener, ViewStore } from './view-store';

/** A map that moves changes its address dozens of times a second. */
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

/** Keeps the view in the address of the page, and reads it from there on back and forward, until it is stopped. */
class AddressWriter {
  readonly #store: ViewStore;
  readonly #path = readLocation().pathname;
  readonly #unsubscribe: () => void;
  #written = readLocation().search;
  #mark = readMark();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLeaving = false;

  constructor(store: ViewStore) {
    this.#store = store;
    this.#unsubscribe = store.subscribe(this.#onChange);
    // Before the link itself handles the click.
    document.addEventListener('click', this.#onClick, { capture: true });
    // From the browser and not the router: until the router has caught up, it does not register that the user went back.
    window.addEventListener('popstate', this.#onPopState);
  }

  adoptAddress(): void {
    const { search } = readLocation();
    this.#cancel();
    this.#isLeaving = false;
    this.#written = search;
    this.#mark = readMark();
    this.#store.adopt(parseViewState(search));
    // Removes unknown parameters, so that the address equals the view.
    this.#replace(toViewSearch(this.#store.read()));
  }

  /** Whether other code wrote the address. The mark is checked too, because a late router briefly restores an older address of ours. */
  isForeign(): boolean {
    return (
      readLocation().pathname === this.#path &&
      readLocation().search !== this.#written &&
      (this.#mark === undefined || readMark() !== this.#mark)
    );
  }

  stop(): void {
    this.#cancel();
    window.removeEventListener('popstate', this.#onPopState);
    document.removeEventListener('click', this.#onClick, { capture: true });
    this.#unsubscribe();
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #write(how: 'pushState' | 'replaceState', search: string): void {
    this.#mark = createMark();
    window.history[how]({ [MARK]: this.#mark }, '', `${this.#path}${search}`);
    // Read back: a browser may spell it otherwise.
    this.#written = readLocation().search;
  }

  #replace(search: string): void {
    this.#cancel();
    if (search !== this.#written) this.#write('replaceState', search);
  }

  readonly #onChange: ViewListener = (view, change, before) => {
    switch (change) {
      case 'address':
        return;
      case 'leaving':
        this.#replace(toViewSearch(view));
        this.#isLeaving = true;
        return;
      case 'quiet':
        // The router cancels the loading of a page when an address is written.
        if (this.#isLeaving) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#replace(toViewSearch(this.#store.read())), QUIET_MS);
        return;
      case 'step':
        this.#isLeaving = false;
        // The entry that "back" returns to must hold the whole previous view.
        this.#replace(toViewSearch(before));
        this.#write('pushState', toViewSearch(view));
    }
  };

  readonly #onClick = (event: MouseEvent): void => {
    if (isPlainClick(event) && isOtherPage(event.target, this.#path)) this.#store.leave();
  };

  readonly #onPopState = (): void => {
    if (readLocation().pathname === this.#path) return this.adoptAddress();
    // The pending address belongs to an entry that is no longer the current one.
    this.#cancel();
    this.#isLeaving = true;
  };
}

/** Whether an address was read: before that, the view is not yet the one that was requested. */
export const useIsAddressRead = (): boolean => {
  const store = useViewStore();
  const [isRead, setRead] = useState(store.isAdopted);
  // Not useSyncExternalStore: that would render the screen within the task that takes over the HTML.
  useEffect(() => (isRead ? undefined : store.subscribe(() => setRead(store.isAdopted()))), [store, isRead]);
  return isRead;
};

/** Keeps the view in the address while the map is shown, and takes it from there when another is opened. */
export const useViewAddress = (isShown: boolean): void => {
  const store = useViewStore();
  const search = useSearchParams()?.toString();
  const writer = useRef<AddressWriter | null>(null);

  useEffect(() => {
    if (!isShown) return;
    const created = new AddressWriter(store);
    writer.current = created;
    created.adoptAddress();
    return () => {
      created.stop();
      writer.current = null;
    };
  }, [store, isShown]);

  useEffect(() => {
    if (writer.current?.isForeign()) writer.current.adoptAddress();
  }, [search]);
};

/** Opens another page of the fleet; the address of the map, which may still be waiting, is written before that. */
export const useOpenPage = (): ((href: string) => void) => {
  const store = useViewStore();
  const { push } = useRouter();
  return (href) => {
    store.leave();
    push(href);
  };
};
