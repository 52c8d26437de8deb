import { documentMailSchema } from '@/lib/proof/schema';
import { mailDocument } from '@/lib/proof/server/mail-document';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Sends the newest revision of a document as PDF to an address.',
  access: 'units',
  params: ['usdot', 'number'],
  body: documentMailSchema,
  handle: (context) => mailDocument(context, context.usdot, context.number, context.body),
});
