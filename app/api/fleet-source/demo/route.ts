import { removeDemo } from '@/lib/fleet-source/server/change-source';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Removes the demo's data. */
export const DELETE = createRoute(
  ({ runtime, viewer, client }) => removeDemo(runtime, { viewer, address: client.address }),
  { access: 'manager' },
);
