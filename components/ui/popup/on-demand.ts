import { lazy, useEffect, useEffectEvent } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';

/** A part of a page whose code is not in the page's own scripts. */
export interface OnDemand<P> {
  /** The part; its first render loads the code, and suspends until it is there. */
  Part: LazyExoticComponent<ComponentType<P>>;
  /** Loads the code ahead of the first render. A failure is reported by that render. */
  preload: () => void;
}

export const onDemand = <P>(load: () => Promise<ComponentType<P>>): OnDemand<P> => ({
  Part: lazy(async () => ({ default: await load() })),
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
