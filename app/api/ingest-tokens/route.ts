import { createIngestToken } from '@/lib/devices/server/devices';
import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { newTokenSchema } from '@/lib/devices/schema';

export const dynamic = 'force-dynamic';

/** Returns the token, which is shown only once. */
export const POST = createRoute(
  async (context) => createIngestToken(context, await readInput(context.request, newTokenSchema)),
  { access: 'manager' },
);
