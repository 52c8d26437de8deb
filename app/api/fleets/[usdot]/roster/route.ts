import { requireUsdot } from '@/lib/http/input';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string }>(
  async ({ params, runtime }) => runtime.readRoster(requireUsdot(params.usdot)),
  { access: 'fleet' },
);
