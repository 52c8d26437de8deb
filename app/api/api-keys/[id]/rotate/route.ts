import { rotateApiKey } from '@/lib/api-keys/server/api-keys';
import { createRoute } from '@/server/route';
import { rotationSchema } from '@/lib/api-keys/schema';

export const POST = createRoute({
  summary: "Returns the key's new secrets, which are shown only once.",
  access: 'manager',
  params: ['id'],
  body: rotationSchema,
  handle: (context) => rotateApiKey(context, context.id, context.body.overlapMs),
});
