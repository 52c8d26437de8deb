import { useEffect } from 'react';
import { useReading } from './fleet-context';

/** Of our own server: nobody is signed in any more, or this fleet is not to be seen any more. */
const REFUSALS: readonly (number | null | undefined)[] = [401, 404];

/** Leaves the page when the server refuses its fleet: asked for anew, it says why or where to sign in. */
export const useLeaveWhenRefused = (): void => {
  const { failure } = useReading();
  const isRefused = REFUSALS.includes(failure?.status);
  useEffect(() => {
    if (isRefused) window.location.reload();
  }, [isRefused]);
};
