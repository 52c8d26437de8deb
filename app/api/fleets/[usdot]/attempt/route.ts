import { z } from 'zod';
import { attemptNow } from '@/lib/runtime/attempt';
import { requireUsdot } from '@/lib/runtime/guards';
import { toNoContent } from '@/lib/runtime/no-content';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

const noInputSchema = z.strictObject({});

/** Requests the provider at once, where the feed of a fleet waits after a failure. */
export const POST = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }) => {
    await readInput(request, noInputSchema);
    await attemptNow(runtime.fleets.feed(requireUsdot(params.usdot), viewer));
    return toNoContent();
  },
  { access: 'fleet' },
);
