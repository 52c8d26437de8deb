import { requireVinOfFleets } from '@/lib/runtime/vin-access';
import { requireVin } from '@/lib/runtime/guards';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ vin: string }>(
  async ({ request, params, runtime, viewer }) => {
    const vin = requireVin(params.vin);
    await requireVinOfFleets(runtime, viewer, vin);
    return toJsonResponse(request, await runtime.readVinCarrier(vin));
  },
  { access: 'viewer' },
);
