import { useEffect } from 'react';
import { useReading } from './fleet-context';

/** Nobody is signed in any more, or this fleet is not to be seen any more. */
const REFUSALS: readonly (string | null | undefined)[] = ['sign-in-needed', 'unknown-fleet'];

/** Leaves the page when the server refuses its fleet: asked for anew, it says why or where to sign in. */
export const useLeaveWhenRefused = (): void => {
  const { failure } = useReading();
  const isRefused = REFUSALS.includes(failure?.code);
  useEffect(() => {
    if (isRefused) window.location.reload();
  }, [isRefused]);
};
