import { createRoute } from '@/server/route';
import { openWallScreenSchema } from '@/lib/wall-screens/schema';

export const POST = createRoute({
  summary: 'Turns the requesting browser into the wall screen of a link.',
  access: 'token',
  body: openWallScreenSchema,
  handle: async ({ screens, body, client }) => {
    const cookie = await screens.open(body.token, client);
    return new Response(null, {
      status: 204,
      headers: { 'cache-control': 'no-store', 'set-cookie': cookie },
    });
  },
});
