import { toJsonResponse } from '@/lib/runtime/json-response';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { newWallScreenSchema } from '@/lib/wire/wall-screens';

export const dynamic = 'force-dynamic';

/** The wall screens that a manager may revoke, also those that were. */
export const GET = createRoute(
  async ({ request, runtime, viewer }) =>
    toJsonResponse(request, { screens: await runtime.accounts.screens.list(viewer) }),
  { access: 'manager' },
);

/** Makes a wall screen, and tells what opens it this once. */
export const POST = createRoute(
  async ({ request, runtime, viewer, asker }) => {
    const screen = await readInput(request, newWallScreenSchema);
    return toJsonResponse(request, await runtime.accounts.screens.create(screen, viewer, asker));
  },
  { access: 'manager' },
);
