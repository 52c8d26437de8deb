import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchJson, sendJson, shouldRetry } from '@/lib/browser/fetch-json';
import { viewsSchema, type ViewInput } from './schema';

/** How long a list that was read is shown without reading it again. */
const STALE_MS = 10_000;

const toUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/views`;
const toKey = (usdot: string) => ['fleets', usdot, 'views'];

/** The saved views of a fleet, read when they are to be shown. */
export const useSavedViews = (usdot: string) =>
  useQuery({
    queryKey: toKey(usdot),
    queryFn: ({ signal }) => fetchJson(toUrl(usdot), viewsSchema, { signal }),
    staleTime: STALE_MS,
    retry: shouldRetry,
    networkMode: 'always',
  });

/** Changes of views, which resolve once the list is read again. @throws ServerUnreachableError, ServerProblemError */
export const useViewChanges = (usdot: string) => {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: toKey(usdot) });
  const url = toUrl(usdot);
  return {
    save: useMutation({ mutationFn: (view: ViewInput) => sendJson('POST', url, view), onSettled }),
    change: useMutation({
      mutationFn: ({ id, ...change }: { id: string } & Partial<Omit<ViewInput, 'isStart'>>) =>
        sendJson('PATCH', `${url}/${encodeURIComponent(id)}`, change),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (id: string) => sendJson('DELETE', `${url}/${encodeURIComponent(id)}`, {}),
      onSettled,
    }),
    chooseStart: useMutation({
      mutationFn: (id: string | null) => sendJson('PUT', `${url}/start`, { id }),
      onSettled,
    }),
  };
};
