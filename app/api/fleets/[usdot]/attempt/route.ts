import { z } from 'zod';
import { attemptNow } from '@/lib/feeds/feed-requests';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Requests the provider at once while the feed of a fleet waits after a failure.',
  access: 'units',
  params: ['usdot'],
  body: z.strictObject({}),
  handle: async ({ fleets, usdot, viewer }) => {
    await attemptNow(fleets.feed(usdot, viewer));
  },
});
