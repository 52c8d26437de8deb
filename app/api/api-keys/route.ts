import { createApiKey, listApiKeys } from '@/lib/runtime/api-keys';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { newKeySchema } from '@/lib/wire/api-keys';

export const dynamic = 'force-dynamic';

export const GET = createRoute(async (asked) => toJsonResponse(asked.request, await listApiKeys(asked)), {
  access: 'manager',
});

/** Answers the key's two secrets, which are told this once. */
export const POST = createRoute(
  async (asked) =>
    toJsonResponse(asked.request, await createApiKey(asked, await readInput(asked.request, newKeySchema))),
  { access: 'manager' },
);
