import { answerDocument } from '@/lib/proof/server/page/answer';
import { createHeadRoute } from '@/server/route';

export const GET = createHeadRoute({
  summary: 'The page of a document, or its PDF or signed JSON.',
  access: 'token',
  params: ['number'],
  handle: (context) => answerDocument(context, context.request, context.number),
});
