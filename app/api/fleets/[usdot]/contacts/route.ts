import { createRoute } from '@/server/route';
import { contactInputSchema } from '@/lib/contacts/contact';
import { changeContact, listContacts } from '@/lib/contacts/server/contacts';
import { requireVehicles } from '@/lib/devices/server/devices';

export const GET = createRoute({
  summary: 'Whom to call about the units of a fleet.',
  access: 'units',
  params: ['usdot'],
  handle: async ({ usdot, viewer, database }) => {
    const { orm } = await database.open();
    return { contacts: await listContacts(orm, usdot, viewer) };
  },
});

export const PUT = createRoute({
  summary: 'Sets whom to call about a unit.',
  access: 'units',
  params: ['usdot'],
  body: contactInputSchema,
  handle: async (context) => {
    const { usdot, body } = context;
    await changeContact(context, usdot, body, (tx, units) => requireVehicles(context, usdot, units, tx));
  },
});
