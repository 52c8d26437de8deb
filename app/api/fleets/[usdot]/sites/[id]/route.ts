import { createRoute } from '@/server/route';
import { siteChangeSchema } from '@/lib/sites/schema';
import { changeSite, removeSite, requireSiteId } from '@/lib/sites/server/sites';

export const PATCH = createRoute({
  summary: 'Changes what the body names, and returns the site.',
  access: 'fleet',
  params: ['usdot', 'id'],
  body: siteChangeSchema,
  handle: (context) => changeSite(context, context.usdot, requireSiteId(context.id), context.body),
});

export const DELETE = createRoute({
  summary: 'Removes a site with its visits.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => removeSite(context, context.usdot, requireSiteId(context.id)),
});
