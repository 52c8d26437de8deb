import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '@/lib/browser/fetch-json';
import { serverStatusSchema } from './schema';

const REFETCH_MS = 5000;

export const useServerStatus = () =>
  useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => fetchJson('/api/status', serverStatusSchema, { signal }),
    refetchInterval: REFETCH_MS,
    // A failure shows at once, over the last known values; the next poll follows in five seconds.
    retry: false,
    networkMode: 'always',
  });
