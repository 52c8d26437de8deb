import { createApiKey, listApiKeys } from '@/lib/api-keys/server/api-keys';
import { toJsonResponse } from '@/lib/http/json-response';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { newKeySchema } from '@/lib/api-keys/schema';

export const dynamic = 'force-dynamic';

export const GET = createRoute(async (asked) => toJsonResponse(await listApiKeys(asked)), {
  access: 'manager',
});

/** Returns the key's two secrets, which are shown only once. */
export const POST = createRoute(
  async (asked) => toJsonResponse(await createApiKey(asked, await readInput(asked.request, newKeySchema))),
  { access: 'manager' },
);
