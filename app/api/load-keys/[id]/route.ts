import { revokeLoadKey } from '@/lib/api-keys/server/load-keys';
import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: 'Revokes the key for loads at once.',
  access: 'manager',
  params: ['id'],
  handle: (context) => revokeLoadKey(context, context.id),
});
