import { createRoute } from '@/server/route';
import { resetSchema } from '@/lib/users/schema';

export const POST = createRoute({
  summary: 'Sets a new password for the holder of the link token.',
  access: 'anyone',
  body: resetSchema,
  handle: ({ linkTokens, body, client }) => linkTokens.reset(body, client),
});
