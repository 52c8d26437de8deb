import { requireUsdot, requireVin } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { requireVinOfFleet } from '@/lib/access/access';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string; vin: string }>(
  async ({ params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const vin = requireVin(params.vin);
    await requireVinOfFleet(runtime, viewer, usdot, vin);
    return runtime.readVinCarrier(usdot, vin);
  },
  { access: 'units' },
);
