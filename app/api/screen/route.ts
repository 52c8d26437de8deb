import { createRoute } from '@/server/route';
import { readHome } from '@/lib/fleets/server/fleet-list';
import { openWallScreenSchema, toScreenPath } from '@/lib/wall-screens/schema';

export const POST = createRoute({
  summary: 'Turns the requesting browser into the wall screen of a link, and returns the path of its page.',
  access: 'token',
  body: openWallScreenSchema,
  handle: async (context) => {
    const { body, client, screens } = context;
    const cookie = await screens.open(body.token, client);
    const screen = await screens.find(body.token, client);
    const home = screen && (await readHome(context, screen.viewer));
    // The start page says why there is no fleet.
    const path = screen && home && 'usdot' in home ? toScreenPath(home.usdot, screen.display) : '/';
    return Response.json({ path }, { headers: { 'cache-control': 'no-store', 'set-cookie': cookie } });
  },
});
