import { createRoute } from '@/server/route';
import { resetMailSchema } from '@/lib/users/schema';

export const POST = createRoute({
  summary:
    'Mails a password reset link if the address belongs to a user; the answer is the same if it does not.',
  access: 'anyone',
  body: resetMailSchema,
  handle: ({ linkTokens, body, client }) => linkTokens.requestReset(body.email, client),
});
