import { createContext, useContext, useSyncExternalStore } from 'react';
import { Listeners } from '@/lib/base/listeners';
import { SECOND_MS } from '@/lib/base/time';

const listeners = new Listeners();
let timer: ReturnType<typeof setTimeout> | undefined;
/** The clock as of the last tick; 0 until the HTML is taken over, as in the HTML. */
let tickedAtMs = 0;

const readClockMs = (): number => Math.floor(Date.now() / SECOND_MS) * SECOND_MS;

const tick = (): void => {
  // On the second, so that every age on the screen changes together.
  timer = setTimeout(tick, SECOND_MS - (Date.now() % SECOND_MS));
  tickedAtMs = readClockMs();
  listeners.notify();
};

const subscribe = (listener: () => void): (() => void) => {
  const remove = listeners.add(listener);
  // In a task of its own: taking over the HTML is long enough.
  if (timer === undefined) timer = setTimeout(tick);
  return () => {
    remove();
    if (listeners.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
};

const readNowMs = (): number => {
  // A component that is no part of the HTML, while no other shows the clock.
  if (timer === undefined) tickedAtMs = readClockMs();
  return tickedAtMs;
};
/** While the HTML is rendered and taken over, which must give the same text. */
const readNothing = (): number => 0;

/** The time at which the HTML was rendered, for as long as its data is shown; null: the clock. */
export const RenderedAtContext = createContext<number | null>(null);

/** The moment in the past that is shown, Unix ms; null: now. */
export const MomentContext = createContext<number | null>(null);

/** Whether the data of the HTML is still shown; it names no time of day, whose zone the server does not know. */
export const useIsRendered = (): boolean => useContext(RenderedAtContext) !== null;

/** The browser's clock in whole seconds, Unix ms, whatever is shown; the component renders again every second. */
export const useClockMs = (): number => useSyncExternalStore(subscribe, readNowMs, readNothing);

/** The time by which what is shown is judged: the browser's clock, or the moment of the past on the screen. */
export const useNowMs = (): number => {
  const nowMs = useClockMs();
  const momentMs = useContext(MomentContext);
  const renderedAtMs = useContext(RenderedAtContext);
  if (renderedAtMs === null) return momentMs ?? nowMs;
  // The server's clock, which goes on from there; how far the browser's is from it is not known yet.
  return renderedAtMs + Math.max(0, nowMs - performance.timeOrigin);
};
