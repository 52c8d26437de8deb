import { useEffect } from 'react';
import { tabStore } from '@/lib/base/stored';
import { isQuietMoment } from '@/lib/view/quiet-moment';
import { isTyping } from '../ui/shortcuts';

const LOOK_EVERY_MS = 5000;
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

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

interface QuietReloadProps {
  /** The server's build; null: that of the page. */
  newer: string | null;
  /** The page cannot read what its server answers. */
  isBlind: boolean;
  /** The server answers. */
  isAnswered: boolean;
  /** Whether a reload would lose something. */
  isHolding: () => boolean;
}

/** Reloads a page of another build than its server, when it is idle and the server answers. */
const useQuietReload = ({ newer, isBlind, isAnswered, isHolding }: QuietReloadProps): void => {
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
        isHolding: isHolding(),
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
  }, [newer, isAnswered, isBlind, isHolding]);
};

export const QuietReload = (props: QuietReloadProps) => {
  useQuietReload(props);
  return null;
};
