import { queryOptions, useQuery } from '@tanstack/react-query';
import { serverStatusSchema } from './schema';
import { fetchJson } from '../browser/fetch-json';

const ASK_AGAIN_MS = 5000;

const serverStatusOptions = () =>
  queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => fetchJson('/api/status', serverStatusSchema, { signal }),
    refetchInterval: ASK_AGAIN_MS,
    // A failure is shown at once, over what was known; the next try is five seconds off in any case.
    retry: false,
    networkMode: 'always',
  });

/** How the server and its feeds fare, asked for again every five seconds. */
export const useServerStatus = () => useQuery(serverStatusOptions());
