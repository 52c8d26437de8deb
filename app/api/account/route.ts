import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: "The viewer's own sign-in methods and sessions.",
  access: 'account',
  handle: ({ profile, client }) => profile.read(client),
});
