import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { settingsAnswerSchema, type SettingsChange } from './schema';
import { fetchJson, sendJson } from '../browser/fetch-json';

const REFETCH_MS = 30_000;

const settingsOptions = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => fetchJson('/api/settings', settingsAnswerSchema, { signal }),
    refetchInterval: REFETCH_MS,
    // A failure shows at once because the next poll is due soon.
    retry: false,
    networkMode: 'always',
  });

/** The server-wide settings, polled every half minute because another manager may change them. */
export const useSettings = () => useQuery(settingsOptions());

/** Changes settings, and refetches them after each change. @throws ServerUnreachableError, ServerProblemError */
export const useChangeSettings = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: SettingsChange) => sendJson('PATCH', '/api/settings', change),
    onSettled: () => queries.invalidateQueries({ queryKey: settingsOptions().queryKey }),
  });
};
