import { requireLoadId } from '@/lib/loads/server/loads';
import { endPickupCode, makePickupCode, readPickupCode } from '@/lib/pickup-check/server/codes';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The pickup code of a load, by which a shipper’s dock checks its truck.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => readPickupCode(context, context.usdot, requireLoadId(context.id)),
});

export const POST = createRoute({
  summary: 'Makes the pickup code of a load, in place of the one before.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => makePickupCode(context, context.usdot, requireLoadId(context.id)),
});

export const DELETE = createRoute({
  summary: 'Ends the pickup code of a load.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => endPickupCode(context, context.usdot, requireLoadId(context.id)),
});
