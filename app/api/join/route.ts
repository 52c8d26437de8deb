import { createRoute } from '@/server/route';
import { joinSchema } from '@/lib/users/schema';

export const POST = createRoute({
  summary: 'Creates the invited user for the holder of the link token.',
  access: 'anyone',
  body: joinSchema,
  handle: ({ linkTokens, body, client }) => linkTokens.join(body, client),
});
