import { useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { PERSISTENT, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import { viewsSchema, type ViewInput } from './schema';

/** How long a list that was read is shown without reading it again. */
const STALE_MS = 10_000;

const toUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/views`;
const toKey = (usdot: string) => ['fleets', usdot, 'views'];

export const useSavedViews = (usdot: string) =>
  useQuery({
    queryKey: toKey(usdot),
    queryFn: ({ signal }) => fetchJson(toUrl(usdot), viewsSchema, { signal }),
    staleTime: STALE_MS,
    ...PERSISTENT,
  });

/** Changes of views, which resolve once the list is read again. @throws ServerUnreachableError, ServerProblemError */
export const useViewChanges = (usdot: string) => {
  const [key, url] = [toKey(usdot), toUrl(usdot)];
  return {
    save: useChange(key, (view: ViewInput) => sendJson('POST', url, view)),
    change: useChange(key, ({ id, ...change }: { id: string } & Partial<Omit<ViewInput, 'isStart'>>) =>
      sendJson('PATCH', `${url}/${encodeURIComponent(id)}`, change),
    ),
    remove: useChange(key, (id: string) => sendJson('DELETE', `${url}/${encodeURIComponent(id)}`, {})),
    chooseStart: useChange(key, (id: string | null) => sendJson('PUT', `${url}/start`, { id })),
  };
};
