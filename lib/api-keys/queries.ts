import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKeysSchema, issuedKeySchema, type KeyChange, type NewKey } from './schema';
import { fetchJson, readJson, sendJson } from '../browser/fetch-json';

const REFETCH_MS = 15_000;

const apiKeysOptions = () =>
  queryOptions({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => fetchJson('/api/api-keys', apiKeysSchema, { signal }),
    refetchInterval: REFETCH_MS,
    // A failure shows at once because the next poll is due soon.
    retry: false,
  });

export const useApiKeys = () => useQuery(apiKeysOptions());

const toPath = (id: string): string => `/api/api-keys/${encodeURIComponent(id)}`;

/** Mutations on API keys; each one refetches the list. @throws ServerUnreachableError, ServerProblemError */
export const useKeyChanges = () => {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: apiKeysOptions().queryKey });
  return {
    create: useMutation({
      mutationFn: async (key: NewKey) =>
        readJson(await sendJson('POST', '/api/api-keys', key), issuedKeySchema),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ id, change }: { id: string; change: KeyChange }) =>
        sendJson('PATCH', toPath(id), change),
      onSettled,
    }),
    rotate: useMutation({
      mutationFn: async ({ id, overlapMs }: { id: string; overlapMs: number }) =>
        readJson(await sendJson('POST', `${toPath(id)}/rotate`, { overlapMs }), issuedKeySchema),
      onSettled,
    }),
    revoke: useMutation({ mutationFn: (id: string) => sendJson('DELETE', toPath(id), {}), onSettled }),
  };
};
