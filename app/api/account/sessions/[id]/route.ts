import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: "Ends one of the viewer's own sessions.",
  access: 'account',
  params: ['id'],
  handle: ({ profile, id, client }) => profile.endSession(id, client),
});
