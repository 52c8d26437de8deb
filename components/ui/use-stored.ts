import { useSyncExternalStore } from 'react';
import { browserStore } from '@/lib/base/stored';
import { Listeners } from '@/lib/base/listeners';

const listeners = new Listeners();

const subscribe = (listener: () => void): (() => void) => {
  const remove = listeners.add(listener);
  // Another tab has stored something.
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener('storage', listener);
    remove();
  };
};

/** The text that this browser keeps under a key, also as another tab stores it; null where there is none. */
export const useStored = (key: string): string | null =>
  useSyncExternalStore(
    subscribe,
    () => browserStore.get(key),
    () => null,
  );

/** Keeps a text under a key; false where it holds in this page alone. */
export const store = (key: string, value: string): boolean => {
  const isStored = browserStore.set(key, value);
  listeners.notify();
  return isStored;
};
