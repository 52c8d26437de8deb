'use client';

import { createContext, useContext, useEffect } from 'react';
import type { ReactNode } from 'react';
import { isQuietMoment } from '@/lib/view/reload';
import { useReading } from './fleet-context';
import { isTyping } from '../ui/keys';
import { isReloadedFor, noteReloadFor } from './reload-memory';

const BuildContext = createContext<string | null>(null);

/** What is open or chosen on the page that its address does not hold. */
const holds = new Set<symbol>();

const LOOK_EVERY_MS = 5000;
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

export const reloadPage = (): void => window.location.reload();

/** The build that the server runs by now, where it is another than this page's; null while they are one. */
export const useNewerBuild = (): string | null => {
  const own = useContext(BuildContext);
  const { serverBuild } = useReading();
  return own === null || serverBuild === own ? null : serverBuild;
};

/** Keeps the page from being loaded anew by itself for as long as something is held that a reload would lose. */
export const useHoldReload = (isHeld: boolean): void => {
  useEffect(() => {
    if (!isHeld) return;
    const hold = Symbol('held');
    holds.add(hold);
    return () => void holds.delete(hold);
  }, [isHeld]);
};

/** Reloads a page that is older than its server, once, when nobody uses it and the server answers. */
const useQuietReload = (): void => {
  const newer = useNewerBuild();
  const { failure } = useReading();
  const isAnswered = failure === null;
  useEffect(() => {
    // A second try would end as the first: servers of two builds may answer in turn.
    if (newer === null || !isAnswered || isReloadedFor(newer)) return;
    let touchedAtMs = performance.now();
    const touch = (): void => {
      touchedAtMs = performance.now();
    };
    const look = (): void => {
      const isQuiet = isQuietMoment({
        isHidden: document.visibilityState === 'hidden',
        isHolding: holds.size > 0,
        isTyping: isTyping(document.activeElement),
        idleMs: performance.now() - touchedAtMs,
      });
      if (!isQuiet || !noteReloadFor(newer)) return;
      reloadPage();
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    for (const type of TOUCHES) document.addEventListener(type, touch, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      for (const type of TOUCHES) document.removeEventListener(type, touch, { capture: true });
    };
  }, [newer, isAnswered]);
};

const QuietReload = () => {
  useQuietReload();
  return null;
};

/** Knows which build the page is of, and loads it anew in a quiet moment when its server is of another. */
export const BuildProvider = ({ build, children }: { build: string | null; children: ReactNode }) => (
  <BuildContext value={build}>
    <QuietReload />
    {children}
  </BuildContext>
);
