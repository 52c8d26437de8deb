import { useEffect, useState } from 'react';
import { ServerUnreachableError, request } from '@/lib/browser/fetch-json';
import { isMissingPart } from '@/lib/view/reload';
import { noteReloadForPart } from './reload-memory';

const FIRST_TRY_MS = 1000;
const LOOK_EVERY_MS = 3000;

/** Whether our server answers, whatever it says. */
const isAnswering = async (): Promise<boolean> => {
  try {
    await request('/api/health');
    return true;
  } catch (error) {
    return !(error instanceof ServerUnreachableError);
  }
};

/**
 * Reloads a page with a missing chunk as soon as the server answers: before that, the browser would show its own error
 * page. True once two reloads did not help, and the user has to reload.
 */
const useReloadWhenServed = (isWanted: boolean): boolean => {
  const [isGivenUp, setGivenUp] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    let timer: ReturnType<typeof setTimeout>;
    let isLeft = false;
    const look = async (): Promise<void> => {
      const isServed = await isAnswering();
      if (isLeft) return;
      if (!isServed) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
      else if (noteReloadForPart(Date.now())) window.location.reload();
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

/**
 * Whether a page failed because a chunk of its script is missing; null for another failure. `awaited` until the page
 * reloads, `givenUp` once that did not help.
 */
export const useMissingPart = (error: Error): 'awaited' | 'givenUp' | null => {
  const isMissing = isMissingPart(error);
  const isGivenUp = useReloadWhenServed(isMissing);
  if (!isMissing) return null;
  return isGivenUp ? 'givenUp' : 'awaited';
};
