import { listBillable } from '@/lib/proof/server/detention/billable';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'Stays without a detention statement that went beyond free time, the oldest first.',
  access: 'units',
  params: ['usdot'],
  handle: (context) => listBillable(context, context.usdot),
});
