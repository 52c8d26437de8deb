import { requireUsdot, requireVersion } from '@/lib/runtime/guards';
import { toLiveResponse } from '@/lib/runtime/live-response';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime }) => {
    const usdot = requireUsdot(params.usdot);
    const since = requireVersion(new URL(request.url).searchParams.get('since'));
    const feed = runtime.fleets.feed(usdot);
    runtime.viewers.saw(usdot, request.headers);
    return toLiveResponse(feed, since, request.headers);
  },
  { access: 'map' },
);
