import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { setUpSchema } from '@/lib/auth/schema';

export const dynamic = 'force-dynamic';

/** Creates the first manager for a client that sends the code that the server printed. */
export const POST = createRoute(
  async ({ request, runtime, client }) =>
    runtime.accounts.setUp(await readInput(request, setUpSchema), client),
  { access: 'anyone' },
);
