import { shareInputSchema } from '@/lib/shares/schema';
import { addShare, listShares } from '@/lib/shares/server/shares';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The links for customers about loads and trucks of a fleet, with how often each was opened.',
  access: 'units',
  params: ['usdot'],
  handle: (context) => listShares(context, context.usdot),
});

export const POST = createRoute({
  summary: 'Makes a link for a customer, and returns its id and address.',
  access: 'units',
  params: ['usdot'],
  body: shareInputSchema,
  handle: (context) => addShare(context, context.usdot, context.body),
});
