import { useEffect } from 'react';
import { ServerUnreachableError, request } from '@/lib/queries/fetch-json';
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
 * its own page in its place. After two reloads in vain it is left to the user.
 */
const useReloadWhenServed = (isWanted: boolean): void => {
  useEffect(() => {
    if (!isWanted) return;
    let timer: ReturnType<typeof setTimeout>;
    let isLeft = false;
    const look = async (): Promise<void> => {
      const isServed = await isAnswering();
      if (isLeft) return;
      if (!isServed) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
      else if (noteReloadForPart(Date.now())) window.location.reload();
    };
    timer = setTimeout(() => void look(), FIRST_TRY_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [isWanted]);
};

/** Whether a page broke for want of a part of its script; if so it is loaded anew when that can help. */
export const useMissingPart = (error: Error): boolean => {
  const isMissing = isMissingPart(error);
  useReloadWhenServed(isMissing);
  return isMissing;
};
