import { documentChangeSchema } from '@/lib/proof/schema';
import { changeDocument } from '@/lib/proof/server/documents';
import { createRoute } from '@/server/route';

export const PUT = createRoute({
  summary: 'Changes whether a document is shown to people who have its number alone.',
  access: 'units',
  params: ['usdot', 'number'],
  body: documentChangeSchema,
  handle: (context) => changeDocument(context, context.usdot, context.number, context.body),
});
