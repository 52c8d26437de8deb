import { readHealth } from '@/lib/ops/health';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The state of the server and its feeds, without a name of a carrier or a unit.',
  access: 'anyone',
  handle: readHealth,
});
