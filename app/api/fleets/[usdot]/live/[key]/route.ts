import { requireKey, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { readUnitDetail } from '@/lib/feeds/feed-requests';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string; key: string }>(
  async ({ params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const key = requireKey(params.key);
    return readUnitDetail(runtime.fleets.feed(usdot, viewer), key);
  },
  { access: 'map' },
);
