import { createRoute } from '@/server/route';
import { readUnitDetail } from '@/lib/feeds/feed-requests';

export const GET = createRoute({
  summary: 'All that is known of a unit.',
  access: 'map',
  params: ['usdot', 'key'],
  handle: ({ fleets, usdot, key, viewer }) => readUnitDetail(fleets.feed(usdot, viewer), key),
});
