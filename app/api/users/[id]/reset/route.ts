import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Makes a link by which a user chooses another password. */
export const POST = createRoute<{ id: string }>(
  async ({ params, runtime, client, viewer }) => {
    const by = { viewer, address: client.address };
    return toJsonResponse(await runtime.accounts.userAdmin.makeReset(params.id, by));
  },
  { access: 'manager' },
);
