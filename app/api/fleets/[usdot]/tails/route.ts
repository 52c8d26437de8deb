import { encodeTails } from '@/lib/history/schema';
import type { TailsAnswer } from '@/lib/history/schema';
import { queryHistory, tailsQuerySchema } from '@/lib/history/server/queries';
import { readQuery, requireUsdot } from '@/lib/http/input';
import { createRoute } from '@/lib/http/route';
import { readSeenUnits } from '@/lib/tags/server/unit-limit';

export const dynamic = 'force-dynamic';

/** Where the units in view went in the last minutes or hours. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }): Promise<TailsAnswer> => {
    const usdot = requireUsdot(params.usdot);
    const query = { usdot, toMs: runtime.clock.nowMs(), ...readQuery(request, tailsQuerySchema) };
    const [tails, seen] = await Promise.all([
      queryHistory(runtime, viewer, ({ reader }) => reader.readTails(query)),
      readSeenUnits(runtime.accounts, viewer, usdot),
    ]);
    const shown = [...(tails ?? [])].filter(([unit]) => seen === null || seen.has(unit));
    return { isTooMany: tails === null, tails: encodeTails(new Map(shown)) };
  },
  { access: 'units' },
);
