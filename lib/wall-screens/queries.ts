import { queryOptions, useQuery } from '@tanstack/react-query';
import type { z } from '@/lib/base/zod';
import { madeWallScreenSchema, wallScreensSchema, type NewWallScreen } from './schema';
import { fetchJson, readJson, sendJson } from '../browser/fetch-json';

const REFETCH_MS = 30_000;

const wallScreensOptions = () =>
  queryOptions({
    queryKey: ['screens'],
    queryFn: ({ signal }) => fetchJson('/api/screens', wallScreensSchema, { signal }),
    refetchInterval: REFETCH_MS,
    // A failure shows at once because the next poll is due soon.
    retry: false,
    networkMode: 'always',
  });

/** The wall screens, polled every half minute. */
export const useWallScreens = () => useQuery(wallScreensOptions());

/** Creates a wall screen; its token is returned only once. @throws ServerUnreachableError, ServerProblemError */
export const createWallScreen = async (
  screen: NewWallScreen,
): Promise<z.infer<typeof madeWallScreenSchema>> =>
  readJson(await sendJson('POST', '/api/screens', screen), madeWallScreenSchema);

/** @throws ServerUnreachableError, ServerProblemError */
export const revokeWallScreen = async (id: string): Promise<void> => {
  await sendJson('DELETE', `/api/screens/${encodeURIComponent(id)}`, {});
};

/** Turns this browser into the screen of a link. @throws ServerUnreachableError, ServerProblemError */
export const openWallScreen = async (token: string): Promise<void> => {
  await sendJson('POST', '/api/screen', { token });
};
