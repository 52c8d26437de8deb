import { rotateApiKey } from '@/lib/api-keys/server/api-keys';
import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { rotationSchema } from '@/lib/api-keys/schema';

export const dynamic = 'force-dynamic';

/** Returns the key's new secrets, which are shown only once. */
export const POST = createRoute<{ id: string }>(
  async (context) => {
    const { overlapMs } = await readInput(context.request, rotationSchema);
    return rotateApiKey(context, context.params.id, overlapMs);
  },
  { access: 'manager' },
);
