import { z } from 'zod';
import { handoverSchema } from '@/lib/handover/schema';
import { readHandover, toHandoverStart } from '@/lib/handover/server/handover';
import { readVisitedMs, writeVisitedMs } from '@/lib/handover/server/handover-repository';
import { momentSchema, queryHistory } from '@/lib/past/server/queries';
import { readInput, readQuery, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

const querySchema = z.strictObject({ since: momentSchema });
const readSchema = z.strictObject({ atMs: momentSchema });

/** What changed in a fleet since a moment. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { since } = readQuery(request, querySchema);
    const toMs = runtime.clock.nowMs();
    const fromMs = toHandoverStart(since, toMs);
    const { pool } = await runtime.accounts.open();
    return queryHistory(runtime, viewer, async (history) =>
      handoverSchema.parse({
        ...(await readHandover({ history, pool }, viewer, usdot, { fromMs, toMs })),
        visitedMs: await readVisitedMs(pool, viewer.id ?? 'demo', usdot),
      }),
    );
  },
  { access: 'fleet' },
);

/** The reader has read the handover up to a moment: the next one can begin there. */
export const POST = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { atMs } = await readInput(request, readSchema);
    const { pool } = await runtime.accounts.open();
    await writeVisitedMs(pool, viewer.id ?? 'demo', usdot, Math.min(atMs, runtime.clock.nowMs()));
  },
  { access: 'fleet' },
);
