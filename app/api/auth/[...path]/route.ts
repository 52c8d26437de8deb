import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The better-auth routes for signing in and out that lib/auth allows. */
const serve = createRoute(({ request, runtime, client }) => runtime.accounts.serve(request, client), {
  access: 'anyone',
});

export const GET = serve;
export const POST = serve;
