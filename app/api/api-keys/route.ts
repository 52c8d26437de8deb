import { createApiKey, listApiKeys } from '@/lib/api-keys/server/api-keys';
import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { newKeySchema } from '@/lib/api-keys/schema';

export const dynamic = 'force-dynamic';

export const GET = createRoute(async (context) => listApiKeys(context), {
  access: 'manager',
});

/** Returns the key's two secrets, which are shown only once. */
export const POST = createRoute(
  async (context) => createApiKey(context, await readInput(context.request, newKeySchema)),
  { access: 'manager' },
);
