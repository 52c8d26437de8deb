import { createRoute } from '@/server/route';
import { contactInputSchema } from '@/lib/contacts/contact';
import { changeContact, listContacts } from '@/lib/contacts/server/contacts';

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
  handle: (context) => changeContact(context, context.usdot, context.body),
});
