import { useEffect } from 'react';
import { signOut } from '@/lib/auth/queries';

/** The user is signing out, so the page is left anyway. */
let isSigningOut = false;

/** Ends the session and opens the sign-in page with a full load, which clears everything shown. @throws what `signOut` does */
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
 * Reloads a page that the server refuses: the reload shows the reason or the sign-in page. Not while the user signs
 * out: a poll that is refused first would send the next user back here.
 */
export const useLeave = (isRefused: boolean): void => {
  useEffect(() => {
    if (isRefused && !isSigningOut) window.location.reload();
  }, [isRefused]);
};
