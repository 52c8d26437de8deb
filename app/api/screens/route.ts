import { toJsonResponse } from '@/lib/http/json-response';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { madeWallScreenSchema, newWallScreenSchema, wallScreensSchema } from '@/lib/wall-screens/schema';

export const dynamic = 'force-dynamic';

/** The wall screens that a manager may revoke, also those that were. */
export const GET = createRoute(
  async ({ runtime, viewer }) =>
    toJsonResponse(
      // Parsed, so that the ids of makers stay on the server.
      wallScreensSchema.parse({ screens: await runtime.accounts.screens.list(viewer) }),
    ),
  { access: 'manager' },
);

/** Makes a wall screen, and tells what opens it this once. */
export const POST = createRoute(
  async ({ request, runtime, viewer, client }) => {
    const screen = await readInput(request, newWallScreenSchema);
    const made = await runtime.accounts.screens.create(screen, viewer, client);
    return toJsonResponse(madeWallScreenSchema.parse(made));
  },
  { access: 'manager' },
);
