import { createRoute } from '@/server/route';
import { passwordChangeSchema } from '@/lib/profile/schema';

export const PUT = createRoute({
  summary: "Changes the viewer's own password and ends their other sessions.",
  access: 'account',
  body: passwordChangeSchema,
  handle: ({ profile, body, client }) => profile.changePassword(body, client),
});
