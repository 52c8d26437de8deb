import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { joinSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Creates the invited user for the holder of the link token. */
export const POST = createRoute(
  async ({ request, runtime, client }) =>
    runtime.accounts.linkTokens.join(await readInput(request, joinSchema), client),
  { access: 'anyone' },
);
