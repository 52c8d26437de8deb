import { requireUsdot, requireVin } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string; vin: string }>(
  async ({ params, runtime }) => runtime.readUnit(requireUsdot(params.usdot), requireVin(params.vin)),
  { access: 'units' },
);
