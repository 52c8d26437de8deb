import { useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { fetchJson, sendJson } from '@/lib/browser/fetch-json';
import { settingsAnswerSchema, type SettingsChange } from './schema';

const REFETCH_MS = 30_000;
const KEY = ['settings'];

/** The server-wide settings, polled every half minute because another manager may change them. */
export const useSettings = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => fetchJson('/api/settings', settingsAnswerSchema, { signal }),
    refetchInterval: REFETCH_MS,
    // A failure shows at once because the next poll is due soon.
    retry: false,
    networkMode: 'always',
  });

/** Changes settings, and refetches them after each change. @throws ServerUnreachableError, ServerProblemError */
export const useChangeSettings = () =>
  useChange(KEY, (change: SettingsChange) => sendJson('PATCH', '/api/settings', change));
