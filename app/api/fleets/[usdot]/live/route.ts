import { requireUsdot, requireVersion } from '@/lib/http/guards';
import { toLiveResponse } from '@/lib/http/live-response';
import { createRoute } from '@/lib/http/route';
import type { Heading } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** The live route that browsers poll for a fleet; server/http.ts calls it without Next.js (decision 23). */
export const GET = createRoute<{ usdot: string }, Heading>(
  async ({ request, params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const since = requireVersion(new URL(request.url).searchParams.get('since'));
    const feed = runtime.fleets.feed(usdot, viewer);
    runtime.viewers.saw(usdot, request.headers);
    return toLiveResponse(feed, since, request.headers, runtime.versions.build);
  },
  { access: 'map' },
);
