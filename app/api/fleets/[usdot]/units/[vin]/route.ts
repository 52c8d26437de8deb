import { requireUsdot, requireVin } from '@/lib/http/input';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string; vin: string }>(
  async ({ params, runtime }) => runtime.readUnit(requireUsdot(params.usdot), requireVin(params.vin)),
  { access: 'units' },
);
