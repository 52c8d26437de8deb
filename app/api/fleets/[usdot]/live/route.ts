import { requireUsdot, requireVersion } from '@/lib/access/input';
import { toLiveResponse } from '@/lib/access/live-response';
import { createRoute, type RequestHead } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The live route that browsers poll for a fleet; server/http/fast-path.ts calls it without Next.js (decision 23). */
export const GET = createRoute<{ usdot: string }, RequestHead>(
  async ({ request, params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const since = requireVersion(new URL(request.url).searchParams.get('since'));
    const feed = runtime.fleets.feed(usdot, viewer);
    runtime.viewers.record(usdot, request.headers);
    return toLiveResponse(feed, since, request.headers, runtime.versions.build);
  },
  { access: 'map' },
);
