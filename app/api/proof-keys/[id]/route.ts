import { revokeSigningKey } from '@/lib/proof/server/manage-keys';
import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: 'Marks a key as no longer to be trusted: its signatures alone prove nothing any more.',
  access: 'manager',
  params: ['id'],
  handle: (context) => revokeSigningKey(context, context.id),
});
