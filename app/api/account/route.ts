import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The viewer's own sign-in methods and sessions. */
export const GET = createRoute(async ({ runtime, client }) => runtime.accounts.own.read(client), {
  access: 'account',
});
