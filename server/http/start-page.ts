import 'server-only';
import type { IncomingMessage } from 'node:http';
import { readHome } from '@/lib/fleets/server/home';
import { requireAccess } from '@/lib/http/access';
import { isAppError } from '@/lib/http/problems';
import { toClient } from '@/lib/http/route';
import { readRuntime } from '@/lib/http/runtime';
import { toHeaders } from './fast-path';

/** The path of the map that the start page shows to the client of a request; null without one, or without access. */
export const readStartPath = async ({ headers }: IncomingMessage): Promise<string | null> => {
  const runtime = readRuntime();
  try {
    const viewer = await requireAccess(runtime, toClient(toHeaders(headers)), 'viewer', undefined);
    const home = await readHome(runtime, viewer);
    return 'usdot' in home ? `/fleets/${home.usdot}` : null;
  } catch (error) {
    // The page itself names the reason, or leads to the sign-in.
    if (isAppError(error)) return null;
    throw error;
  }
};
