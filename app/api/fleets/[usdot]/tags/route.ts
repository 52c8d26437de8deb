import { createRoute } from '@/server/route';
import {
  MAX_CHANGE_BYTES,
  changeTags,
  listTags,
  readFreeTags,
  tagChangeSchema,
} from '@/lib/tags/server/tags';

export const GET = createRoute({
  summary:
    'The tags of a fleet and their units that the viewer sees, and which tags say that a unit is free.',
  access: 'units',
  params: ['usdot'],
  handle: async ({ usdot, viewer, database }) => {
    const { orm } = await database.open();
    const tags = await listTags(orm, usdot, viewer);
    return { tags, free: await readFreeTags(orm, usdot, viewer, tags) };
  },
});

export const POST = createRoute({
  summary:
    'Adds units to a tag or takes them off, renames a tag, or removes it, or sets which tags say that a unit is free.',
  access: 'fleet',
  params: ['usdot'],
  body: tagChangeSchema,
  maxBytes: MAX_CHANGE_BYTES,
  handle: (context) => changeTags(context, context.usdot, context.body),
});
