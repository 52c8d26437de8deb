import { createRoute } from '@/server/route';
import { linkSchema } from '@/lib/users/schema';

export const POST = createRoute({
  // A POST, because a link token must not appear in a URL.
  summary: 'The user whose password a link resets.',
  access: 'anyone',
  body: linkSchema,
  handle: ({ linkTokens, body, client }) => linkTokens.readReset(body.token, client),
});
