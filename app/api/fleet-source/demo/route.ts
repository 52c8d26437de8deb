import { removeDemo } from '@/lib/fleet-source/server/change-source';
import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: "Removes the demo's data.",
  access: 'manager',
  handle: removeDemo,
});
