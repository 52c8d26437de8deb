import 'server-only';
import { requireUsdot, requireVersion } from './guards';
import { toLiveAnswer } from './live-response';
import type { LiveAnswer } from './live-response';
import { createRoute } from './route';
import type { Heading } from './route';

/** Answers GET /api/fleets/:usdot/live?since=version, by which a browser follows a fleet. */
export const readLive = createRoute<{ usdot: string }, Heading, LiveAnswer>(
  async ({ request, params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const since = requireVersion(new URL(request.url).searchParams.get('since'));
    const feed = runtime.fleets.feed(usdot, viewer);
    runtime.viewers.saw(usdot, request.headers);
    return toLiveAnswer(feed, since, request.headers);
  },
  { access: 'map' },
);
