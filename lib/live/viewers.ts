import 'server-only';
import { SCREEN_HEADER } from '@/lib/wire/screen';

const SCREEN = /^[\w-]{1,40}$/;
/** Beyond this many screens of a fleet the oldest go uncounted, so that whoever invents numbers costs little. */
const MAX_SCREENS = 10_000;

export interface Viewers {
  /** A screen asks for a fleet. */
  saw: (usdot: string, headers: Headers) => void;
  /** The screens that asked for a fleet lately: a tab of a browser each, also one that nobody looks at. */
  count: (usdot: string) => number;
}

/** Counts screens by the number that each tells; programs that tell none count as one. */
export const createViewers = ({
  elapsed,
  lastingMs,
}: {
  elapsed: () => number;
  lastingMs: number;
}): Viewers => {
  /** In the order in which they were last asked for. */
  const byFleet = new Map<string, Map<string, number>>();

  /** The screens of a fleet without those that are gone, which come first: the map is in the order of asking. */
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
      // A fleet that nobody asks for any more is swept here, as others are asked for.
      const [oldest] = byFleet.keys();
      if (oldest !== undefined && oldest !== usdot) sweep(oldest);
    },
    count: (usdot) => sweep(usdot).size,
  };
};
