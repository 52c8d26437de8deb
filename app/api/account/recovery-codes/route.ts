import { createRoute } from '@/server/route';
import { passwordAgainSchema } from '@/lib/profile/schema';

export const POST = createRoute({
  summary: 'Issues new recovery codes and invalidates the remaining ones.',
  access: 'account',
  body: passwordAgainSchema,
  handle: ({ profile, body, client }) => profile.renewRecoveryCodes(body, client),
});
