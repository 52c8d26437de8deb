import { createRoute } from '@/server/route';
import { readSeenUnits } from '@/lib/access/unit-limit';

export const GET = createRoute({
  summary: 'The VINs of a fleet that the viewer sees.',
  access: 'units',
  params: ['usdot'],
  handle: async ({ usdot, viewer, database, readRoster }) => {
    const [roster, seen] = await Promise.all([readRoster(usdot), readSeenUnits(database, viewer, usdot)]);
    return seen === null ? roster : { ...roster, vins: roster.vins.filter((vin) => seen.has(vin)) };
  },
});
