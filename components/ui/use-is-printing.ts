import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let isPrinting = false;
const listeners = new Set<() => void>();
const notify = (value: boolean) => () => {
  isPrinting = value;
  // The browser takes the page as it is when the listeners of the event return.
  flushSync(() => {
    for (const listener of listeners) listener();
  });
};
const [begin, end] = [notify(true), notify(false)];

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (listeners.size === 1) {
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
};

/** Whether the page is being printed: what is not in view is rendered too. */
export const useIsPrinting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );
