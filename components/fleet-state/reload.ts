import { useEffect, useState } from 'react';
import { tabStore } from '@/lib/base/stored';
import { isMissingPart } from '@/lib/view/reload';
import { isServerThere } from '@/lib/browser/server-there';

/** The tab's last automatic reloads. Where they cannot be stored, a page could reload forever, and does not. */
const TIMES_KEY = 'linehaul-reloaded-at';
const WITHIN_MS = 5 * 60_000;
const MOST_WITHIN = 2;

/** Records a reload for a missing chunk; false after too many recent ones. */
const recordReloadForPart = (nowMs: number): boolean => {
  const times = (tabStore.get(TIMES_KEY) ?? '')
    .split(' ')
    .map(Number)
    .filter((atMs) => atMs > 0 && Math.abs(nowMs - atMs) < WITHIN_MS);
  if (times.length >= MOST_WITHIN) return false;
  return tabStore.set(TIMES_KEY, [...times, nowMs].join(' '));
};

const FIRST_TRY_MS = 1000;
const LOOK_EVERY_MS = 3000;

/** Reloads a page with a missing chunk once the server answers; true once two reloads did not help. */
const useReloadWhenServed = (isWanted: boolean): boolean => {
  const [isGivenUp, setGivenUp] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    let timer: ReturnType<typeof setTimeout>;
    let isLeft = false;
    const look = async (): Promise<void> => {
      const isServed = await isServerThere();
      if (isLeft) return;
      if (!isServed) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
      else if (recordReloadForPart(Date.now())) window.location.reload();
      else setGivenUp(true);
    };
    timer = setTimeout(() => void look(), FIRST_TRY_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [isWanted]);
  return isGivenUp;
};

/** Whether a chunk of the page is missing: `awaited` until it reloads, `givenUp` if that did not help; else null. */
export const useMissingPart = (error: Error): 'awaited' | 'givenUp' | null => {
  const isMissing = isMissingPart(error);
  const isGivenUp = useReloadWhenServed(isMissing);
  if (!isMissing) return null;
  return isGivenUp ? 'givenUp' : 'awaited';
};
