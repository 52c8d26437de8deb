import { changeApiKey, revokeApiKey } from '@/lib/api-keys/server/api-keys';
import { createRoute } from '@/server/route';
import { keyChangeSchema } from '@/lib/api-keys/schema';

export const PATCH = createRoute({
  summary: 'Changes the name and the limits of a key.',
  access: 'manager',
  params: ['id'],
  body: keyChangeSchema,
  handle: (context) => changeApiKey(context, context.id, context.body),
});

export const DELETE = createRoute({
  summary: 'Revokes the key at once.',
  access: 'manager',
  params: ['id'],
  handle: (context) => revokeApiKey(context, context.id),
});
