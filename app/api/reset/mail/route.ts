import { toNoContent } from '@/lib/http/no-content';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { resetMailSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Sends a link to another password, where the address is a user's; the answer is the same where it is nobody's. */
export const POST = createRoute(
  async ({ request, runtime, client }) => {
    const { email } = await readInput(request, resetMailSchema);
    await runtime.accounts.linkBearers.askForReset(email, client);
    return toNoContent();
  },
  { access: 'anyone' },
);
