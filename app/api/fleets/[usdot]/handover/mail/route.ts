import { handoverMailSchema } from '@/lib/handover/schema';
import { readHandoverMail, writeHandoverMail } from '@/lib/handover/server/mail-schedule';
import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

const inputSchema = handoverMailSchema.nullable();

/** When the viewer gets the handover by mail. */
export const GET = createRoute<{ usdot: string }>(
  async (context) => readHandoverMail(context, requireUsdot(context.params.usdot)),
  { access: 'fleet' },
);

/** Sets when the viewer gets the handover by mail; null: never. */
export const PUT = createRoute<{ usdot: string }>(
  async (context) =>
    writeHandoverMail(
      context,
      requireUsdot(context.params.usdot),
      await readInput(context.request, inputSchema),
    ),
  { access: 'fleet' },
);
