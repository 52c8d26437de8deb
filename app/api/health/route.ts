import { readHealth } from '@/lib/ops/health';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute(async ({ runtime }) => readHealth(runtime), {
  access: 'anyone',
});
