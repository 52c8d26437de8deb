import { requireUsdot, requireVin } from '@/lib/runtime/guards';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';
import { requireVinOfFleet } from '@/lib/runtime/vin-access';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string; vin: string }>(
  async ({ request, params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const vin = requireVin(params.vin);
    await requireVinOfFleet(runtime, viewer, usdot, vin);
    return toJsonResponse(request, await runtime.readVinCarrier(usdot, vin));
  },
  { access: 'fleet' },
);
