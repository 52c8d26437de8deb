import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Liveness check for a supervisor that restarts a hung process: any answer means alive. */
export const GET = createRoute(async () => ({ live: true }), {
  access: 'anyone',
});
