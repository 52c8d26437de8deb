import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { madeWallScreenSchema, newWallScreenSchema, wallScreensSchema } from '@/lib/wall-screens/schema';

export const dynamic = 'force-dynamic';

/** The wall screens that a manager may revoke, including revoked ones. */
export const GET = createRoute(
  async ({ runtime, viewer }) =>
    // Parsed so that makers' ids stay on the server.
    wallScreensSchema.parse({ screens: await runtime.accounts.screens.list(viewer) }),
  { access: 'manager' },
);

/** Creates a wall screen and returns its link, once. */
export const POST = createRoute(
  async ({ request, runtime, viewer, client }) => {
    const screen = await readInput(request, newWallScreenSchema);
    const made = await runtime.accounts.screens.create(screen, viewer, client);
    return madeWallScreenSchema.parse(made);
  },
  { access: 'manager' },
);
