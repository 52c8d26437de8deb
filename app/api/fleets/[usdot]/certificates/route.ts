import { certificateInputSchema } from '@/lib/proof/certificate';
import { issueCertificate } from '@/lib/proof/server/certificates/certificates';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Issues a signed certificate of where a truck was at a moment or in a range of at most a day.',
  access: 'units',
  params: ['usdot'],
  body: certificateInputSchema,
  handle: (context) => issueCertificate(context, context.usdot, context.body),
});
