import { answerShare } from '@/lib/shares/server/page/answer';
import { createHeadRoute } from '@/server/route';

/** Answered without Next.js, as the live route is. */
export const GET = createHeadRoute({
  summary: 'The page of a link for people without an account.',
  access: 'token',
  params: ['token'],
  handle: (context) => {
    const { request, token, client } = context;
    return answerShare(context, request, { token, address: client.address });
  },
});
