import { listRefusals } from '@/lib/devices/server/devices';
import { createRoute } from '@/server/route';
import { carrierQuerySchema } from '@/lib/devices/schema';

export const GET = createRoute({
  summary: "Refused reports of a carrier's devices.",
  access: 'manager',
  query: carrierQuerySchema,
  handle: (context) => listRefusals(context, context.query.usdot ?? null),
});
