import { requireUsdot, requireVin } from '@/lib/runtime/guards';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string; vin: string }>(async ({ request, params, runtime }) =>
  toJsonResponse(request, await runtime.readVinCarrier(requireUsdot(params.usdot), requireVin(params.vin))),
);
