import { queryOptions, useQuery } from '@tanstack/react-query';
import { linkAnswerSchema } from './schema';
import type { Join, Reset } from './schema';
import { readJson } from '../browser/fetch-json';
import { sendJson } from '../browser/send-json';
import { signIn } from '../auth/queries';

/** The endpoints that return the recipient of a link. */
const ASKED_AT = { join: '/api/join/invitation', reset: '/api/reset/link' } as const;
export type LinkKind = keyof typeof ASKED_AT;

const linkOptions = (kind: LinkKind, token: string) =>
  queryOptions({
    queryKey: ['link', kind, token],
    queryFn: async () => readJson(await sendJson('POST', ASKED_AT[kind], { token }), linkAnswerSchema),
    retry: false,
    staleTime: Infinity,
  });

/** The recipient of a link. */
export const useLink = (kind: LinkKind, token: string) => useQuery(linkOptions(kind, token));

/** Accepts an invitation and signs in. @throws ServerUnreachableError, ServerProblemError */
export const join = async (input: Join): Promise<void> => {
  const { email } = await readJson(await sendJson('POST', '/api/join', input), linkAnswerSchema);
  await signIn({ email, password: input.password });
};

/** Sets a new password. @throws ServerUnreachableError, ServerProblemError */
export const resetPassword = async (input: Reset): Promise<void> => {
  await sendJson('POST', '/api/reset', input);
};

/**
 * Requests a reset link by e-mail; the answer does not show whether such a user exists.
 * @throws ServerUnreachableError, ServerProblemError
 */
export const askForReset = async (email: string): Promise<void> => {
  await sendJson('POST', '/api/reset/mail', { email });
};
