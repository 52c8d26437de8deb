import { requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { readSeenUnits } from '@/lib/access/unit-limit';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string }>(
  async ({ params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const [roster, seen] = await Promise.all([
      runtime.readRoster(usdot),
      readSeenUnits(runtime.accounts, viewer, usdot),
    ]);
    return seen === null ? roster : { ...roster, vins: roster.vins.filter((vin) => seen.has(vin)) };
  },
  { access: 'units' },
);
