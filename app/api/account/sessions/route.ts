import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: "Ends all of the viewer's own sessions, this one included.",
  access: 'account',
  handle: ({ profile, client }) => profile.endAllSessions(client),
});
