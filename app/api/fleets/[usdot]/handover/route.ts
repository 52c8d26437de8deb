import { z } from 'zod';
import { handoverSchema } from '@/lib/handover/schema';
import { readHandover, toHandoverStart } from '@/lib/handover/server/handover';
import { readVisitedMs, writeVisitedMs } from '@/lib/handover/server/handover-repository';
import { momentSchema, queryHistory } from '@/lib/past/server/queries';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'What changed in a fleet since a moment.',
  access: 'fleet',
  params: ['usdot'],
  query: z.strictObject({ since: momentSchema }),
  answer: handoverSchema,
  handle: async (context) => {
    const { usdot, viewer, clock } = context;
    const toMs = clock.nowMs();
    const fromMs = toHandoverStart(context.query.since, toMs);
    const { pool } = await context.database.open();
    return queryHistory(context, viewer, async (history) => ({
      ...(await readHandover({ history, pool }, viewer, usdot, { fromMs, toMs })),
      visitedMs: await readVisitedMs(pool, viewer.id ?? 'demo', usdot),
    }));
  },
});

export const POST = createRoute({
  summary: 'The viewer has read the handover up to a moment: the next one can begin there.',
  access: 'fleet',
  params: ['usdot'],
  body: z.strictObject({ atMs: momentSchema }),
  handle: async ({ usdot, viewer, database, clock, body: { atMs } }) => {
    const { pool } = await database.open();
    await writeVisitedMs(pool, viewer.id ?? 'demo', usdot, Math.min(atMs, clock.nowMs()));
  },
});
