import { requireUsdot, requireVin } from '@/lib/http/guards';
import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string; vin: string }>(
  async ({ params, runtime }) =>
    toJsonResponse(await runtime.readUnit(requireUsdot(params.usdot), requireVin(params.vin))),
  { access: 'fleet' },
);
