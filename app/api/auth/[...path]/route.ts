import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Signing in and out: those of better-auth's routes that lib/accounts lets through. */
const serve = createRoute(({ request, runtime, client }) => runtime.accounts.serve(request, client), {
  access: 'anyone',
});

export const GET = serve;
export const POST = serve;
