import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'Liveness check for a supervisor that restarts a hung process: any answer means alive.',
  access: 'anyone',
  handle: () => ({ live: true }),
});
