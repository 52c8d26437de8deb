import { billableListSchema } from '@/lib/proof/detention';
import { listBillable } from '@/lib/proof/server/detention/billable';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary:
    'Stays without a detention statement that went beyond free time, the oldest first: to bill, dismissed, or at yards and fuel stops.',
  access: 'units',
  params: ['usdot'],
  query: billableListSchema,
  handle: (context) => listBillable(context, context.usdot, context.query.list),
});
