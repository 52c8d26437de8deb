import { createContext, useContext, useEffect, type ReactNode } from 'react';
import type { LiveFailure } from '@/lib/live/live-reader';
import { tabStore } from '@/lib/base/stored';
import { isQuietMoment } from '@/lib/view/reload';
import { useReading } from './fleet-context';
import { isTyping } from '../ui/shortcuts';

const BuildContext = createContext<string | null>(null);

/** One entry for each thing on the page that a reload would lose. */
const holds = new Set<symbol>();

const LOOK_EVERY_MS = 5000;
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Whether the server answers what this page cannot read. */
export const isUnreadable = (failure: LiveFailure | null): boolean =>
  failure?.kind === 'refused' && failure.status === null;

/** The server's build if it differs from this page's; null otherwise. */
export const useNewerBuild = (): string | null => {
  const own = useContext(BuildContext);
  const { serverBuild } = useReading();
  return own === null || serverBuild === own ? null : serverBuild;
};

/** Prevents the automatic reload while the page holds something that a reload would lose. */
export const useHoldReload = (isHeld: boolean): void => {
  useEffect(() => {
    if (!isHeld) return;
    const hold = Symbol('held');
    holds.add(hold);
    return () => void holds.delete(hold);
  }, [isHeld]);
};

/** The builds that the tab reloaded for. Where they cannot be stored, a page could reload forever, and does not. */
const BUILDS_KEY = 'linehaul-reloaded-for';
/** A reload during an upgrade may be answered by a server of the build before. */
const MOST_FOR_BUILD = 3;

/** Records that the tab is about to reload for that build of the server; false after too many of them. */
const recordReloadFor = (build: string): boolean => {
  const builds = (tabStore.get(BUILDS_KEY) ?? '').split(' ');
  if (builds.filter((each) => each === build).length >= MOST_FOR_BUILD) return false;
  return tabStore.set(BUILDS_KEY, [...builds, build].join(' ').trim());
};

/** Reloads a page of another build than its server, when it is idle and the server answers. */
const useQuietReload = (): void => {
  const newer = useNewerBuild();
  const { failure } = useReading();
  const isBlind = isUnreadable(failure);
  const isAnswered = failure === null || isBlind;
  useEffect(() => {
    if (newer === null || !isAnswered) return;
    let touchedAtMs = performance.now();
    const touch = (): void => {
      touchedAtMs = performance.now();
    };
    const look = (): void => {
      const isQuiet = isQuietMoment({
        isHidden: document.visibilityState === 'hidden',
        isBlind,
        isHolding: holds.size > 0,
        isTyping: isTyping(document.activeElement),
        idleMs: performance.now() - touchedAtMs,
      });
      if (isQuiet && recordReloadFor(newer)) window.location.reload();
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    for (const type of TOUCHES) document.addEventListener(type, touch, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      for (const type of TOUCHES) document.removeEventListener(type, touch, { capture: true });
    };
  }, [newer, isAnswered, isBlind]);
};

const QuietReload = () => {
  useQuietReload();
  return null;
};

/** Reloads the page in an idle moment when the server runs another build. */
export const BuildProvider = ({ build, children }: { build: string | null; children: ReactNode }) => (
  <BuildContext value={build}>
    <QuietReload />
    {children}
  </BuildContext>
);
