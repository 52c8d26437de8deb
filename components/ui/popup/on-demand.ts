import { lazy, useEffect, useEffectEvent, type ComponentType, type LazyExoticComponent } from 'react';
import { isServerThere } from '@/lib/browser/server-there';

/** A part of a page whose code is not in the page's own scripts. */
export interface OnDemand<P> {
  /** The part; its first render loads the code, and suspends until it is there. */
  Part: LazyExoticComponent<ComponentType<P>>;
  /** Loads the code ahead of the first render. A failure is reported by that render. */
  preload: () => void;
}

const WAIT_MS = 1000;

/** Loads code; where it does not come because the server or the network is away, once the server answers again. */
export const loadPatiently = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch {
    while (!(await isServerThere())) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return load();
  }
};

export const onDemand = <P>(load: () => Promise<ComponentType<P>>): OnDemand<P> => ({
  Part: lazy(async () => ({ default: await loadPatiently(load) })),
  preload: () => void load().catch(() => undefined),
});

const INPUTS = ['pointermove', 'pointerdown', 'keydown'] as const;

/** Loads code at the first input of the user, who may want it next. */
export const usePreloadAtFirstInput = (preload: () => void): void => {
  const onInput = useEffectEvent(preload);
  useEffect(() => {
    const once = new AbortController();
    const run = (): void => {
      once.abort();
      onInput();
    };
    for (const type of INPUTS)
      document.addEventListener(type, run, { signal: once.signal, capture: true, passive: true });
    return () => once.abort();
  }, []);
};
