import { sendJson } from '@/lib/browser/fetch-json';
import { forgetCopies } from '@/lib/browser/owner';
import { leaving } from './refused';

/** Ends the push messages to this browser, which its next user would see. */
const endPush = async (): Promise<void> => {
  const { unsubscribe } = await import('@/lib/alerts/push-browser');
  const endpoint = await unsubscribe();
  if (endpoint !== null) await sendJson('DELETE', '/api/push-subscriptions', { endpoint });
};

/** Deletes what this browser keeps of the user, ends the session and opens the sign-in page with a full load, which clears everything shown. @throws ServerUnreachableError, ServerProblemError */
export const signOutAndLeave = async (): Promise<void> => {
  leaving.isSigningOut = true;
  try {
    // First, because it is possible without a network.
    await forgetCopies();
    await endPush().catch(reportError);
    await sendJson('POST', '/api/auth/sign-out', {});
    window.location.assign('/sign-in');
  } catch (error) {
    leaving.isSigningOut = false;
    throw error;
  }
};
