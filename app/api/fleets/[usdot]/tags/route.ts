import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { MAX_CHANGE_BYTES, changeTags, listTags, tagChangeSchema } from '@/lib/tags/server/tags';

export const dynamic = 'force-dynamic';

/** The tags of a fleet and their units that the viewer sees. */
export const GET = createRoute<{ usdot: string }>(
  async ({ params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { orm } = await runtime.accounts.open();
    return { tags: await listTags(orm, usdot, viewer) };
  },
  { access: 'units' },
);

/** Adds units to a tag or takes them off, renames a tag, or removes it. */
export const POST = createRoute<{ usdot: string }>(
  async (context) => {
    const usdot = requireUsdot(context.params.usdot);
    const input = await readInput(context.request, tagChangeSchema, { maxBytes: MAX_CHANGE_BYTES });
    await changeTags(context, usdot, input);
  },
  { access: 'fleet' },
);
