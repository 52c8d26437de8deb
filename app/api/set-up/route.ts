import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { setUpSchema } from '@/lib/auth/schema';

export const dynamic = 'force-dynamic';

/** Creates the first manager for a client that sends the code that the server printed. */
export const POST = createRoute(
  async ({ request, runtime, client }) => {
    await runtime.accounts.setUp(await readInput(request, setUpSchema), client);
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  },
  { access: 'anyone' },
);
