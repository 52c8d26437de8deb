import { useEffect } from 'react';
import { signOut } from '@/lib/auth/queries';

/** The page goes elsewhere because its user wants it. */
let isSigningOut = false;

/** Ends the session and leaves for where to sign in, with the whole page anew: nothing of what was shown may stay. @throws what `signOut` does */
export const leaveSignedOut = async (): Promise<void> => {
  isSigningOut = true;
  try {
    await signOut();
    window.location.assign('/sign-in');
  } catch (error) {
    isSigningOut = false;
    throw error;
  }
};

/**
 * Loads a page anew that the server refuses: asked for anew, it says why or where to sign in. Not while its user signs
 * out: a poll that notices first would lead back here whoever signs in next.
 */
export const useLeave = (isRefused: boolean): void => {
  useEffect(() => {
    if (isRefused && !isSigningOut) window.location.reload();
  }, [isRefused]);
};
