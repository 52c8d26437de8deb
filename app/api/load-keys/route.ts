import { newLoadKeySchema } from '@/lib/api-keys/schema';
import { createLoadKey, listLoadKeys } from '@/lib/api-keys/server/load-keys';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The keys for loads of the fleets that the manager may see.',
  access: 'manager',
  handle: listLoadKeys,
});

export const POST = createRoute({
  summary: 'Returns a key for the loads of a fleet, which is shown only once.',
  access: 'manager',
  body: newLoadKeySchema,
  handle: (context) => createLoadKey(context, context.body),
});
