import { createRoute } from '@/server/route';
import { setUpSchema } from '@/lib/auth/schema';

export const POST = createRoute({
  summary: 'Creates the first manager for a client that sends the code that the server printed.',
  access: 'anyone',
  body: setUpSchema,
  handle: ({ auth, body, client }) => auth.setUp(body, client),
});
