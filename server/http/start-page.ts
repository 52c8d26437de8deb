import 'server-only';
import type { IncomingMessage } from 'node:http';
import { readHome } from '@/lib/fleets/server/fleet-list';
import { requireAccess } from '@/lib/access/access';
import { isAppError } from '@/lib/base/http/problems';
import { toClient } from '@/server/route';
import { readRuntime } from '@/server/runtime';
import { readStartSearch } from '@/lib/views/server/views';
import { toHeaders } from './fast-path';

/**
 * The path and query of the map that the start page shows to the client of a request: the query that was requested, else
 * the viewer's start view. Null without a map, or without access.
 */
export const readStartAddress = async ({ url = '', headers }: IncomingMessage): Promise<string | null> => {
  const runtime = readRuntime();
  try {
    const viewer = await requireAccess(runtime, toClient(toHeaders(headers)), 'viewer', {});
    const home = await readHome(runtime, viewer);
    if (!('usdot' in home)) return null;
    const { search } = new URL(url, 'http://localhost');
    return `/fleets/${home.usdot}${search || (await readStartSearch(runtime, viewer, home.usdot))}`;
  } catch (error) {
    // The page itself names the reason, or leads to the sign-in.
    if (isAppError(error)) return null;
    throw error;
  }
};
