import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { passwordAgainSchema } from '@/lib/profile/schema';

export const dynamic = 'force-dynamic';

/** Issues new recovery codes and invalidates the remaining ones. */
export const POST = createRoute(
  async ({ request, runtime, client }) =>
    runtime.accounts.own.renewRecoveryCodes(await readInput(request, passwordAgainSchema), client),
  { access: 'account' },
);
