import { changeTerms, listTerms } from '@/lib/proof/server/detention/terms';
import { keptTermsSchema } from '@/lib/proof/terms';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The terms of detention of a fleet: for all, and for customers, sites and loads.',
  access: 'units',
  params: ['usdot'],
  handle: (context) => listTerms(context, context.usdot),
});

export const PUT = createRoute({
  summary: 'Sets or removes terms of detention. Statements that were issued stay as they are.',
  access: 'fleet',
  params: ['usdot'],
  body: keptTermsSchema,
  handle: (context) => changeTerms(context, context.usdot, context.body),
});
