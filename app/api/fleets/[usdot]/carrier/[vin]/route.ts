import { requireUsdot, requireVin } from '@/lib/http/input';
import { createRoute } from '@/lib/http/route';
import { requireVinOfFleet } from '@/lib/http/access';

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
