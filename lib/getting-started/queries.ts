import { useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { fetchJson, sendJson } from '@/lib/browser/fetch-json';
import { progressSchema } from './schema';

/** Until the first report, which an installer waits for beside the device. */
const WAITING_MS = 1500;
const LATER_MS = 15_000;
const KEY = ['getting-started'];

/** How far a carrier with own trucks has come, polled until its first truck has reported. */
export const useProgress = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => fetchJson('/api/getting-started', progressSchema, { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.isShown === false) return false;
      return data?.reportedAtMs === null ? WAITING_MS : LATER_MS;
    },
    refetchOnMount: 'always',
    retry: false,
  });

/** Hides the checklist for all managers. @throws ServerUnreachableError, ServerProblemError */
export const useDismiss = () => useChange(KEY, () => sendJson('DELETE', '/api/getting-started', {}));
