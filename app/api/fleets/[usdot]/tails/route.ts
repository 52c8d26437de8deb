import { encodeTails, type TailsAnswer } from '@/lib/past/schema';
import { queryHistory, tailsQuerySchema } from '@/lib/past/server/queries';
import { readQuery, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { readSeenUnits } from '@/lib/access/unit-limit';

export const dynamic = 'force-dynamic';

/** Where the units in view went in the last minutes or hours. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }): Promise<TailsAnswer> => {
    const usdot = requireUsdot(params.usdot);
    const box = readQuery(request, tailsQuerySchema);
    const seen = await readSeenUnits(runtime.accounts, viewer, usdot);
    const query = { usdot, toMs: runtime.clock.nowMs(), seen, ...box };
    const tails = await queryHistory(runtime, viewer, ({ reader }) => reader.readTails(query));
    return { isTooMany: tails === null, tails: encodeTails(tails ?? new Map()) };
  },
  { access: 'units' },
);
