import { stayRefSchema } from '@/lib/proof/detention';
import { previewStatement } from '@/lib/proof/server/detention/statements';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'What a detention statement about a visit, or a stop of a load, would say now.',
  access: 'units',
  params: ['usdot'],
  query: stayRefSchema,
  handle: (context) => previewStatement(context, context.usdot, context.query),
});
