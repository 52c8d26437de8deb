import { answerEndMails } from '@/lib/customer-mails/server/end-page';
import { createHeadRoute } from '@/server/route';

/** Answered without Next.js, as the page of a link is. */
export const GET = createHeadRoute({
  summary: 'The page at which the reader of a mail to a customer ends the mails about a load.',
  access: 'token',
  params: ['token'],
  handle: (context) => answerEndMails(context, context.request, context.token),
});

/** Mail programs send it without a page of ours (RFC 8058). */
export const POST = createHeadRoute({
  summary: 'Ends the mails about a load to the address of a mail.',
  access: 'token',
  params: ['token'],
  handle: (context) => answerEndMails(context, context.request, context.token),
});
