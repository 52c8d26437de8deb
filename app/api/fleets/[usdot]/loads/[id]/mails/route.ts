import { readLoadMails } from '@/lib/loads/server/load-mails';
import { requireLoadId } from '@/lib/loads/server/loads';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The mails to the customer of a load, as they are chosen; of a new one with the id 0.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => readLoadMails(context, context.usdot, requireLoadId(context.id)),
});
