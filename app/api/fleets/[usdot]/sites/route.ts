import { createRoute } from '@/server/route';
import { siteInputSchema } from '@/lib/rules/site';
import { addSite, listFleetSites } from '@/lib/sites/server/sites';

export const GET = createRoute({
  summary: 'The sites of a fleet.',
  access: 'map',
  params: ['usdot'],
  handle: (context) => listFleetSites(context, context.usdot),
});

export const POST = createRoute({
  summary: 'Adds a site and returns it.',
  access: 'fleet',
  params: ['usdot'],
  body: siteInputSchema,
  handle: (context) => addSite(context, context.usdot, context.body),
});
