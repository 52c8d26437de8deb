import { rotateApiKey } from '@/lib/runtime/api-keys';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { rotationSchema } from '@/lib/wire/api-keys';

export const dynamic = 'force-dynamic';

/** Answers the key's new secrets, which are told this once. */
export const POST = createRoute<{ id: string }>(
  async (asked) => {
    const { overlapMs } = await readInput(asked.request, rotationSchema);
    return toJsonResponse(asked.request, await rotateApiKey(asked, asked.params.id, overlapMs));
  },
  { access: 'manager' },
);
