import { removeSubscription } from '@/lib/alerts/server/account';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Ends the subscription of another of the viewer's browsers. */
export const DELETE = createRoute<{ id: string }>(
  async (context) => removeSubscription(context, context.params.id),
  { access: 'viewer' },
);
