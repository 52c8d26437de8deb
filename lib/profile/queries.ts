import { queryOptions, useQuery } from '@tanstack/react-query';
import { accountSchema, recoveryCodesSchema, secondFactorStartSchema } from './schema';
import type { PasswordAgain, PasswordChange, SecondFactorStart } from './schema';
import { fetchJson, readJson } from '../browser/fetch-json';
import { sendJson } from '../browser/send-json';

/** The account is read once; one that could not be is asked for again. */
const ASK_AGAIN_MS = 5000;

const accountOptions = () =>
  queryOptions({
    queryKey: ['account'],
    queryFn: ({ signal }) => fetchJson('/api/account', accountSchema, { signal }),
    // Told at once, and asked again by itself.
    retry: false,
    refetchInterval: ({ state }) => (state.status === 'error' ? ASK_AGAIN_MS : false),
    networkMode: 'always',
  });

/** How who looks signs in, and where they are signed in. */
export const useAccount = () => useQuery(accountOptions());

/** Changes the own password. @throws ServerUnreachableError, ServerProblemError */
export const changePassword = async (input: PasswordChange): Promise<void> => {
  await sendJson('PUT', '/api/account/password', input);
};

/** Begins to set up a second factor. @throws ServerUnreachableError, ServerProblemError */
export const startSecondFactor = async (input: PasswordAgain): Promise<SecondFactorStart> =>
  readJson(await sendJson('POST', '/api/account/second-factor', input), secondFactorStartSchema);

/** Proves that the app has the secret. @throws ServerUnreachableError, ServerProblemError */
export const confirmSecondFactor = async (input: { code: string }): Promise<void> => {
  await sendJson('PUT', '/api/account/second-factor', input);
};

/** @throws ServerUnreachableError, ServerProblemError */
export const removeSecondFactor = async (input: PasswordAgain): Promise<void> => {
  await sendJson('DELETE', '/api/account/second-factor', input);
};

/** New recovery codes in the place of the others. @throws ServerUnreachableError, ServerProblemError */
export const renewRecoveryCodes = async (input: PasswordAgain): Promise<string[]> => {
  const answer = await sendJson('POST', '/api/account/recovery-codes', input);
  return (await readJson(answer, recoveryCodesSchema)).recoveryCodes;
};

/** Ends one of the own sessions. @throws ServerUnreachableError, ServerProblemError */
export const endSession = async (id: string): Promise<void> => {
  await sendJson('DELETE', `/api/account/sessions/${encodeURIComponent(id)}`, {});
};

/** Signs out everywhere. @throws ServerUnreachableError, ServerProblemError */
export const endAllSessions = async (): Promise<void> => {
  await sendJson('DELETE', '/api/account/sessions', {});
};
