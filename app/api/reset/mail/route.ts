import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { resetMailSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Mails a password reset link if the address belongs to a user; the answer is the same if it does not. */
export const POST = createRoute(
  async ({ request, runtime, client }) => {
    const { email } = await readInput(request, resetMailSchema);
    await runtime.accounts.linkTokens.requestReset(email, client);
  },
  { access: 'anyone' },
);
