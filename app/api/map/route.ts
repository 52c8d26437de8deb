import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Which sources of the map work now. */
export const GET = createRoute(async ({ runtime }) => runtime.map.readState(), { access: 'viewer' });
