import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { resetSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Sets a new password for the holder of the link token. */
export const POST = createRoute(
  async ({ request, runtime, client }) =>
    runtime.accounts.linkTokens.reset(await readInput(request, resetSchema), client),
  { access: 'anyone' },
);
