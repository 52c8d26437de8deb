import { changeSource } from '@/lib/fleet-source/server/change-source';
import { sourceChangeSchema } from '@/lib/fleet-source/schema';
import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Chooses where the fleets come from. */
export const PUT = createRoute(
  async ({ request, runtime, viewer, client }) =>
    changeSource(runtime, await readInput(request, sourceChangeSchema), { viewer, address: client.address }),
  { access: 'manager' },
);
