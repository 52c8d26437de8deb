import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { madeLinkSchema, userMadeSchema, usersAnswerSchema } from './schema';
import type { Invite, UserChangeInput } from './schema';
import { fetchJson, readJson } from '../browser/fetch-json';
import { sendJson } from '../browser/send-json';

const ASK_AGAIN_MS = 15_000;

const usersOptions = () =>
  queryOptions({
    queryKey: ['users'],
    queryFn: ({ signal }) => fetchJson('/api/users', usersAnswerSchema, { signal }),
    refetchInterval: ASK_AGAIN_MS,
    retry: false,
  });

/** The users in the viewer's scope, and the open invitations. */
export const useUsers = () => useQuery(usersOptions());

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
  const onSettled = () => client.invalidateQueries({ queryKey: usersOptions().queryKey });
  return {
    invite: useMutation({
      mutationFn: async (input: Invite) =>
        readJson(await sendJson('POST', '/api/invitations', input), madeLinkSchema),
      onSettled,
    }),
    withdraw: useMutation({
      mutationFn: (id: string) => sendJson('DELETE', `/api/invitations/${encodeURIComponent(id)}`, {}),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ id, change }: { id: string; change: UserChangeInput }) =>
        sendJson('PATCH', toPath(id), change),
      // The change may have ended items that the user created.
      onSettled: () =>
        Promise.all(
          [['users'], ['screens'], ['api-keys'], ['devices']].map((queryKey) =>
            client.invalidateQueries({ queryKey }),
          ),
        ),
    }),
    removeSecondFactor: useMutation({
      mutationFn: (id: string) => sendJson('DELETE', `${toPath(id)}/second-factor`, {}),
      onSettled,
    }),
    makeReset: useMutation({
      mutationFn: async (id: string) =>
        readJson(await sendJson('POST', `${toPath(id)}/reset`, {}), madeLinkSchema),
      onSettled,
    }),
  };
};
