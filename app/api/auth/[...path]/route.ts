import { createRoute } from '@/server/route';

const serve = createRoute({
  summary: 'The better-auth routes for signing in and out that lib/auth allows.',
  access: 'anyone',
  handle: ({ auth, request, client }) => auth.serve(request, client),
});

export const GET = serve;
export const POST = serve;
