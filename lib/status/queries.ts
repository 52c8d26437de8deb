import { queryOptions, useQuery } from '@tanstack/react-query';
import { serverStatusSchema } from './schema';
import { fetchJson } from '../browser/fetch-json';

const REFETCH_MS = 5000;

const serverStatusOptions = () =>
  queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => fetchJson('/api/status', serverStatusSchema, { signal }),
    refetchInterval: REFETCH_MS,
    // A failure shows at once, over the last known values; the next poll follows in five seconds.
    retry: false,
    networkMode: 'always',
  });

/** The health of the server and its feeds, polled every five seconds. */
export const useServerStatus = () => useQuery(serverStatusOptions());
