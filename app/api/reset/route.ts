import { toNoContent } from '@/lib/http/no-content';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { resetSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Sets a new password for the bearer of the link. */
export const POST = createRoute(
  async ({ request, runtime, client }) => {
    await runtime.accounts.linkBearers.reset(await readInput(request, resetSchema), client);
    return toNoContent();
  },
  { access: 'anyone' },
);
