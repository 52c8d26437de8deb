import { dismissalSchema } from '@/lib/proof/detention';
import { changeDismissal } from '@/lib/proof/server/detention/billable';
import { createRoute } from '@/server/route';

export const PUT = createRoute({
  summary: 'Chooses that a visit is not billed, or that it is after all.',
  access: 'units',
  params: ['usdot'],
  body: dismissalSchema,
  handle: (context) => changeDismissal(context, context.usdot, context.body),
});
