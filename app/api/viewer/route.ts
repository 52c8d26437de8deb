import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The viewer and their scope.',
  access: 'viewer',
  handle: ({ viewer }) => viewer,
});
