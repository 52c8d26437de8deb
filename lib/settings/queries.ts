import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { settingsAnswerSchema } from './schema';
import type { SettingsChange } from './schema';
import { fetchJson } from '../browser/fetch-json';
import { sendJson } from '../browser/send-json';

const ASK_AGAIN_MS = 30_000;

const settingsOptions = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => fetchJson('/api/settings', settingsAnswerSchema, { signal }),
    refetchInterval: ASK_AGAIN_MS,
    // A failure is told at once; the next question is due soon.
    retry: false,
    networkMode: 'always',
  });

/** What holds for the whole server, asked for again every half minute: another manager may change it. */
export const useSettings = () => useQuery(settingsOptions());

/** Changes settings, which are read anew after each change. @throws ServerUnreachableError, ServerProblemError */
export const useChangeSettings = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: SettingsChange) => sendJson('PATCH', '/api/settings', change),
    onSettled: () => queries.invalidateQueries({ queryKey: settingsOptions().queryKey }),
  });
};
