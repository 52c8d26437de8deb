import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** For whoever restarts a process that hangs: it answers, or it does not. */
export const GET = createRoute(async () => toJsonResponse({ live: true }), {
  access: 'anyone',
});
