import { changeApiKey, revokeApiKey } from '@/lib/api-keys/server/api-keys';
import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { keyChangeSchema } from '@/lib/api-keys/schema';

export const dynamic = 'force-dynamic';

interface Params {
  id: string;
}

export const PATCH = createRoute<Params>(
  async (context) =>
    changeApiKey(context, context.params.id, await readInput(context.request, keyChangeSchema)),
  { access: 'manager' },
);

/** Revokes the key at once. */
export const DELETE = createRoute<Params>(async (context) => revokeApiKey(context, context.params.id), {
  access: 'manager',
});
