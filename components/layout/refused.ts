import { useEffect } from 'react';
import { forgetCopies } from '@/lib/browser/owner';

/** Whether the user is signing out, which leaves the page anyway. */
export const leaving = { isSigningOut: false };

/** Reloads a refused page, but not while the user signs out: that would return the next user to this page. */
export const useReloadWhenRefused = (isRefused: boolean): void => {
  useEffect(() => {
    if (!isRefused || leaving.isSigningOut) return;
    void forgetCopies().then(() => window.location.reload());
  }, [isRefused]);
};
