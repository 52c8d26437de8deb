import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { openWallScreenSchema } from '@/lib/wall-screens/schema';

export const dynamic = 'force-dynamic';

/** Turns the requesting browser into the wall screen of a link. */
export const POST = createRoute(
  async ({ request, runtime, client }) => {
    const { token } = await readInput(request, openWallScreenSchema);
    const cookie = await runtime.accounts.screens.open(token, client);
    return new Response(null, {
      status: 204,
      headers: { 'cache-control': 'no-store', 'set-cookie': cookie },
    });
  },
  { access: 'token' },
);
