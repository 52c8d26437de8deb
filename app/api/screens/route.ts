import { createRoute } from '@/server/route';
import { madeWallScreenSchema, newWallScreenSchema, wallScreensSchema } from '@/lib/wall-screens/schema';

export const GET = createRoute({
  summary: 'The wall screens that a manager may revoke, including revoked ones.',
  access: 'manager',
  // Makers' ids stay on the server.
  answer: wallScreensSchema,
  handle: async ({ screens, viewer }) => ({ screens: await screens.list(viewer) }),
});

export const POST = createRoute({
  summary: 'Creates a wall screen and returns its link, once.',
  access: 'manager',
  body: newWallScreenSchema,
  answer: madeWallScreenSchema,
  handle: (context) => context.screens.create(context.body, context),
});
