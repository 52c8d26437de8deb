import { useQuery } from '@tanstack/react-query';
import {
  madeWallScreenSchema,
  openedWallScreenSchema,
  wallScreensSchema,
  type NewWallScreen,
} from './schema';
import { exchangeJson, fetchJson, sendJson } from '@/lib/browser/fetch-json';

const REFETCH_MS = 30_000;

export const useWallScreens = () =>
  useQuery({
    queryKey: ['screens'],
    queryFn: ({ signal }) => fetchJson('/api/screens', wallScreensSchema, { signal }),
    refetchInterval: REFETCH_MS,
    // A failure shows at once because the next poll is due soon.
    retry: false,
    networkMode: 'always',
  });

/** Creates a wall screen; its token is returned only once. @throws ServerUnreachableError, ServerProblemError */
export const createWallScreen = (screen: NewWallScreen) =>
  exchangeJson('POST', '/api/screens', screen, madeWallScreenSchema);

/** @throws ServerUnreachableError, ServerProblemError */
export const revokeWallScreen = async (id: string): Promise<void> => {
  await sendJson('DELETE', `/api/screens/${encodeURIComponent(id)}`, {});
};

/** Turns this browser into the screen of a link; the path of its page. @throws ServerUnreachableError, ServerProblemError */
export const openWallScreen = async (token: string): Promise<string> =>
  (await exchangeJson('POST', '/api/screen', { token }, openedWallScreenSchema)).path;
