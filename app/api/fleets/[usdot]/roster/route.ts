import { requireUsdot } from '@/lib/http/guards';
import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute<{ usdot: string }>(
  async ({ params, runtime }) => toJsonResponse(await runtime.readRoster(requireUsdot(params.usdot))),
  { access: 'fleet' },
);
