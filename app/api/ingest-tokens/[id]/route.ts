import { revokeIngestToken } from '@/lib/devices/server/devices';
import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: 'Revokes the token at once.',
  access: 'manager',
  params: ['id'],
  handle: (context) => revokeIngestToken(context, context.id),
});
