import { dismissProgress, readProgress } from '@/lib/getting-started/server/progress';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** How far a carrier with own trucks has come. */
export const GET = createRoute(
  async ({ runtime, viewer, client }) => readProgress(runtime, { viewer, client }),
  { access: 'manager' },
);

/** Hides the checklist for all managers. */
export const DELETE = createRoute(async ({ runtime, viewer }) => dismissProgress(runtime, viewer), {
  access: 'manager',
});
