import { listDocuments } from '@/lib/proof/server/documents';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The documents of a fleet, each by its newest revision, the newest first.',
  access: 'units',
  params: ['usdot'],
  handle: async (context) => ({
    documents: await listDocuments(context, context.usdot),
    canMail: context.proof.sendMail !== null,
  }),
});
