import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  madeLinkSchema,
  userMadeSchema,
  usersAnswerSchema,
  linkAnswerSchema,
  type Invite,
  type UserChangeInput,
  type Join,
  type Reset,
} from './schema';
import { readAgain, useChange } from '@/lib/browser/change';
import { exchangeJson, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import { signIn } from '../auth/queries';

const REFETCH_MS = 15_000;
const KEY = ['users'];

export const useUsers = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => fetchJson('/api/users', usersAnswerSchema, { signal }),
    refetchInterval: REFETCH_MS,
    retry: false,
  });

const toPath = (id: string): string => `/api/users/${encodeURIComponent(id)}`;

/** The items in use that a user created; loaded each time a dialog opens. */
export const useUserMade = (id: string) =>
  useQuery({
    queryKey: ['users', id, 'made'],
    queryFn: ({ signal }) => fetchJson(`${toPath(id)}/made`, userMadeSchema, { signal }),
    gcTime: 0,
    retry: false,
  });

/** Mutations on users; each one refetches the list. @throws ServerUnreachableError, ServerProblemError */
export const useUserChanges = () => {
  const client = useQueryClient();
  return {
    invite: useChange(KEY, (input: Invite) =>
      exchangeJson('POST', '/api/invitations', input, madeLinkSchema),
    ),
    withdraw: useChange(KEY, (id: string) =>
      sendJson('DELETE', `/api/invitations/${encodeURIComponent(id)}`, {}),
    ),
    change: useMutation({
      mutationFn: ({ id, change }: { id: string; change: UserChangeInput }) =>
        sendJson('PATCH', toPath(id), change),
      // The change may have ended items that the user created.
      onSettled: () =>
        Promise.all(
          [['users'], ['screens'], ['api-keys'], ['devices']].map((queryKey) => readAgain(client, queryKey)),
        ),
    }),
    removeSecondFactor: useChange(KEY, (id: string) => sendJson('DELETE', `${toPath(id)}/second-factor`, {})),
    makeReset: useChange(KEY, (id: string) =>
      exchangeJson('POST', `${toPath(id)}/reset`, {}, madeLinkSchema),
    ),
  };
};

const LINK_PATHS = { join: '/api/join/invitation', reset: '/api/reset/link' } as const;
export type LinkKind = keyof typeof LINK_PATHS;

export const useLink = (kind: LinkKind, token: string) =>
  useQuery({
    queryKey: ['link', kind, token],
    queryFn: () => exchangeJson('POST', LINK_PATHS[kind], { token }, linkAnswerSchema),
    retry: false,
    staleTime: Infinity,
  });

/** Accepts an invitation and signs in. @throws ServerUnreachableError, ServerProblemError */
export const join = async (input: Join): Promise<void> => {
  const { email } = await exchangeJson('POST', '/api/join', input, linkAnswerSchema);
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
export const requestReset = async (email: string): Promise<void> => {
  await sendJson('POST', '/api/reset/mail', { email });
};
