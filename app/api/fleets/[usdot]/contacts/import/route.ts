import { createRoute } from '@/server/route';
import { MAX_IMPORT_BYTES, contactImportSchema } from '@/lib/contacts/contact';
import { importContacts } from '@/lib/contacts/server/contacts';

export const POST = createRoute({
  summary: 'Sets whom to call about many units, all of them or none.',
  access: 'fleet',
  params: ['usdot'],
  body: contactImportSchema,
  maxBytes: MAX_IMPORT_BYTES,
  handle: (context) => importContacts(context, context.usdot, context.body.contacts),
});
