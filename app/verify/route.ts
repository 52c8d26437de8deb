import { answerVerify, answerVerifyForm } from '@/lib/proof/server/page/verify-answer';
import { createHeadRoute, createRoute } from '@/server/route';

export const GET = createHeadRoute({
  summary: 'The page that verifies documents, by number where its address has one.',
  access: 'token',
  handle: (context) => answerVerify(context, context.request),
});

export const POST = createRoute({
  summary: 'Verifies a document that was pasted, or that a PDF carries.',
  access: 'token',
  handle: (context) => answerVerifyForm(context, context.request),
});
