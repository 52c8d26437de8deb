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
 * Loads a page anew that misses a part of itself, as soon as the server answers: before that the browser would show
 * its own page in its place. After two reloads in vain it is left to the user; true from then on.
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
 * Whether a page broke for want of a part of its script, null where it did for something else. It is loaded anew when
 * that can help: `awaited` until then, `givenUp` once it did not.
 */
export const useMissingPart = (error: Error): 'awaited' | 'givenUp' | null => {
  const isMissing = isMissingPart(error);
  const isGivenUp = useReloadWhenServed(isMissing);
  if (!isMissing) return null;
  return isGivenUp ? 'givenUp' : 'awaited';
};
