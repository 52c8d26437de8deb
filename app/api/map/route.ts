import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'Which sources of the map work now.',
  access: 'viewer',
  handle: ({ map }) => map.readState(),
});
