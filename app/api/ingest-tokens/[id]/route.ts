import { revokeIngestToken } from '@/lib/devices/server/devices';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Revokes the token at once. */
export const DELETE = createRoute<{ id: string }>(
  async (context) => revokeIngestToken(context, context.params.id),
  { access: 'manager' },
);
