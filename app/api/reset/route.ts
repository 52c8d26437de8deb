import { toNoContent } from '@/lib/http/no-content';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { resetSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Sets another password, for who bears the link. */
export const POST = createRoute(
  async ({ request, runtime, client }) => {
    await runtime.accounts.linkBearers.reset(await readInput(request, resetSchema), client);
    return toNoContent();
  },
  { access: 'anyone' },
);
