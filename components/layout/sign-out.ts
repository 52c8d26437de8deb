import { useEffect } from 'react';
import { signOut } from '@/lib/auth/queries';
import { forgetCopies } from '@/lib/offline/storage';

/** The user is signing out, which leaves the page anyway. */
let isSigningOut = false;

/** Deletes what this browser keeps of the user, ends the session and opens the sign-in page with a full load, which clears everything shown. @throws the errors of `signOut` */
export const signOutAndLeave = async (): Promise<void> => {
  isSigningOut = true;
  try {
    // First, because it is possible without a network.
    await forgetCopies();
    await signOut();
    window.location.assign('/sign-in');
  } catch (error) {
    isSigningOut = false;
    throw error;
  }
};

/**
 * Reloads a page that the server refuses, which shows the reason or the sign-in page. Not while the user signs out,
 * because the reload would return the next user to this page.
 */
export const useReloadWhenRefused = (isRefused: boolean): void => {
  useEffect(() => {
    if (!isRefused || isSigningOut) return;
    void forgetCopies().finally(() => window.location.reload());
  }, [isRefused]);
};
