import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The viewer and their scope. */
export const GET = createRoute(async ({ viewer }) => viewer, {
  access: 'viewer',
});
