import 'server-only';
import { SCREEN_HEADER } from '@/lib/wire/screen';

const SCREEN = /^[\w-]{1,40}$/;
/** Beyond this many screens of a fleet the oldest are not counted, so that invented numbers cost little. */
const MAX_SCREENS = 10_000;

export interface Viewers {
  /** A screen polls a fleet. */
  saw: (usdot: string, headers: Headers) => void;
  /** The screens that polled a fleet lately: one for each browser tab, hidden ones included. */
  count: (usdot: string) => number;
}

/** Counts screens by their numbers; clients without one count as one screen. */
export const createViewers = ({
  elapsed,
  lastingMs,
}: {
  elapsed: () => number;
  lastingMs: number;
}): Viewers => {
  /** In the order in which they last polled. */
  const byFleet = new Map<string, Map<string, number>>();

  /** Removes the expired screens of a fleet, which come first: the map is in polling order. */
  const sweep = (usdot: string): Map<string, number> => {
    const screens = byFleet.get(usdot) ?? new Map<string, number>();
    for (const [screen, atMs] of screens) {
      if (elapsed() - atMs <= lastingMs && screens.size <= MAX_SCREENS) break;
      screens.delete(screen);
    }
    if (screens.size === 0) byFleet.delete(usdot);
    return screens;
  };

  return {
    saw: (usdot, headers) => {
      const told = headers.get(SCREEN_HEADER);
      const screen = told !== null && SCREEN.test(told) ? told : 'untold';
      const screens = sweep(usdot);
      screens.delete(screen);
      screens.set(screen, elapsed());
      byFleet.delete(usdot);
      byFleet.set(usdot, screens);
      // Fleets that are no longer polled are swept when others are.
      const [oldest] = byFleet.keys();
      if (oldest !== undefined && oldest !== usdot) sweep(oldest);
    },
    count: (usdot) => sweep(usdot).size,
  };
};
