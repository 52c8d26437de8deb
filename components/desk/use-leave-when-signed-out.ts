import { useEffect } from 'react';
import { ServerProblemError } from '@/lib/queries/fetch-json';

/** Nobody is signed in any more, or not as a manager. */
const REFUSALS: readonly (string | undefined)[] = ['sign-in-needed', 'managers-only'];

/** Leaves a page of managers when the server refuses what it asks for: asked for anew, it says where to sign in. */
export const useLeaveWhenSignedOut = (error: Error | null): void => {
  const isRefused = error instanceof ServerProblemError && REFUSALS.includes(error.problem?.code);
  useEffect(() => {
    if (isRefused) window.location.reload();
  }, [isRefused]);
};
