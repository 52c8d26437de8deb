import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { passwordChangeSchema } from '@/lib/profile/schema';

export const dynamic = 'force-dynamic';

/** Changes the viewer's own password and ends their other sessions. */
export const PUT = createRoute(
  async ({ request, runtime, client }) =>
    runtime.accounts.own.changePassword(await readInput(request, passwordChangeSchema), client),
  { access: 'account' },
);
