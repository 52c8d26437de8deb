import { createApiKey, listApiKeys } from '@/lib/api-keys/server/api-keys';
import { createRoute } from '@/server/route';
import { newKeySchema } from '@/lib/api-keys/schema';

export const GET = createRoute({
  summary: 'The API keys of the fleets that the manager may see.',
  access: 'manager',
  handle: listApiKeys,
});

export const POST = createRoute({
  summary: "Returns the key's two secrets, which are shown only once.",
  access: 'manager',
  body: newKeySchema,
  handle: (context) => createApiKey(context, context.body),
});
