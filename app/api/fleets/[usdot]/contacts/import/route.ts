import { createRoute } from '@/server/route';
import { MAX_IMPORT_BYTES, contactImportSchema } from '@/lib/contacts/contact';
import { importContacts } from '@/lib/contacts/server/contacts';
import { requireVehicles } from '@/lib/devices/server/devices';

export const POST = createRoute({
  summary: 'Sets whom to call about many units, all of them or none.',
  access: 'fleet',
  params: ['usdot'],
  body: contactImportSchema,
  maxBytes: MAX_IMPORT_BYTES,
  handle: async (context) => {
    const { usdot, body } = context;
    await importContacts(context, usdot, body.contacts, (tx, units) =>
      requireVehicles(context, usdot, units, tx),
    );
  },
});
