import { encodeTails } from '@/lib/history/schema';
import type { TailsAnswer } from '@/lib/history/schema';
import { queryHistory, tailsQuerySchema } from '@/lib/history/server/queries';
import { readTails } from '@/lib/history/server/tails';
import { readQuery, requireUsdot } from '@/lib/http/input';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Where the units in view went in the last minutes or hours. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }): Promise<TailsAnswer> => {
    const usdot = requireUsdot(params.usdot);
    const { minutes, ...box } = readQuery(request, tailsQuerySchema);
    const range = { toMs: runtime.clock.nowMs(), minutes };
    const tails = await queryHistory(runtime, viewer, ({ reader }) =>
      reader.query((pool) => readTails(pool, usdot, box, range)),
    );
    return { isTooMany: tails === null, tails: encodeTails(tails ?? new Map()) };
  },
  { access: 'fleet' },
);
