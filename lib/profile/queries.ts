import { useQuery } from '@tanstack/react-query';
import {
  accountSchema,
  recoveryCodesSchema,
  secondFactorStartSchema,
  type PasswordAgain,
  type PasswordChange,
  type SecondFactorStart,
} from './schema';
import { exchangeJson, fetchJson, sendJson } from '@/lib/browser/fetch-json';

/** Retry interval after a failed load; a loaded account is not polled. */
const REFETCH_MS = 5000;

/** The viewer's own sign-in methods and sessions. */
export const useAccount = () =>
  useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => fetchJson('/api/account', accountSchema, { signal }),
    // A failure shows at once, and the load is retried automatically.
    retry: false,
    refetchInterval: ({ state }) => (state.status === 'error' ? REFETCH_MS : false),
    networkMode: 'always',
  });

/** Changes the viewer's own password. @throws ServerUnreachableError, ServerProblemError */
export const changePassword = async (input: PasswordChange): Promise<void> => {
  await sendJson('PUT', '/api/account/password', input);
};

/** Starts the set-up of a second factor. @throws ServerUnreachableError, ServerProblemError */
export const startSecondFactor = (input: PasswordAgain): Promise<SecondFactorStart> =>
  exchangeJson('POST', '/api/account/second-factor', input, secondFactorStartSchema);

/** Confirms the second factor with a code of the app. @throws ServerUnreachableError, ServerProblemError */
export const confirmSecondFactor = async (input: { code: string }): Promise<void> => {
  await sendJson('PUT', '/api/account/second-factor', input);
};

/** @throws ServerUnreachableError, ServerProblemError */
export const removeSecondFactor = async (input: PasswordAgain): Promise<void> => {
  await sendJson('DELETE', '/api/account/second-factor', input);
};

/** New recovery codes, which replace the old ones. @throws ServerUnreachableError, ServerProblemError */
export const renewRecoveryCodes = async (input: PasswordAgain): Promise<string[]> =>
  (await exchangeJson('POST', '/api/account/recovery-codes', input, recoveryCodesSchema)).recoveryCodes;

/** Ends one of the viewer's own sessions. @throws ServerUnreachableError, ServerProblemError */
export const endSession = async (id: string): Promise<void> => {
  await sendJson('DELETE', `/api/account/sessions/${encodeURIComponent(id)}`, {});
};

/** Ends all of the viewer's own sessions. @throws ServerUnreachableError, ServerProblemError */
export const endAllSessions = async (): Promise<void> => {
  await sendJson('DELETE', '/api/account/sessions', {});
};
