import { z } from 'zod';
import { attemptNow } from '@/lib/feeds/feed-requests';
import { requireUsdot, readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

const noInputSchema = z.strictObject({});

/** Requests the provider at once while the feed of a fleet waits after a failure. */
export const POST = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }) => {
    await readInput(request, noInputSchema);
    await attemptNow(runtime.fleets.feed(requireUsdot(params.usdot), viewer));
  },
  { access: 'units' },
);
