import { createIngestToken } from '@/lib/devices/server/devices';
import { createRoute } from '@/server/route';
import { newTokenSchema } from '@/lib/devices/schema';

export const POST = createRoute({
  summary: 'Returns the token, which is shown only once.',
  access: 'manager',
  body: newTokenSchema,
  handle: (context) => createIngestToken(context, context.body),
});
