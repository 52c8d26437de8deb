import { toNoContent } from '@/lib/runtime/no-content';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { resetSchema } from '@/lib/wire/users';

export const dynamic = 'force-dynamic';

/** Sets another password, for who bears the link. */
export const POST = createRoute(
  async ({ request, runtime, asker }) => {
    await runtime.accounts.linkBearers.reset(await readInput(request, resetSchema), asker);
    return toNoContent();
  },
  { access: 'anyone' },
);
