import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** The viewer and their scope. */
export const GET = createRoute(async ({ viewer }) => viewer, {
  access: 'viewer',
});
