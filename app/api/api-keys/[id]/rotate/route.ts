import { rotateApiKey } from '@/lib/api-keys/server/api-keys';
import { toJsonResponse } from '@/lib/http/json-response';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { rotationSchema } from '@/lib/api-keys/schema';

export const dynamic = 'force-dynamic';

/** Returns the key's new secrets, which are shown only once. */
export const POST = createRoute<{ id: string }>(
  async (asked) => {
    const { overlapMs } = await readInput(asked.request, rotationSchema);
    return toJsonResponse(await rotateApiKey(asked, asked.params.id, overlapMs));
  },
  { access: 'manager' },
);
