import { changeApiKey, revokeApiKey } from '@/lib/api-keys/server/api-keys';
import { toNoContent } from '@/lib/http/no-content';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { keyChangeSchema } from '@/lib/api-keys/schema';

export const dynamic = 'force-dynamic';

interface Params {
  id: string;
}

export const PATCH = createRoute<Params>(
  async (asked) => {
    await changeApiKey(asked, asked.params.id, await readInput(asked.request, keyChangeSchema));
    return toNoContent();
  },
  { access: 'manager' },
);

/** Revokes the key at once. */
export const DELETE = createRoute<Params>(
  async (asked) => {
    await revokeApiKey(asked, asked.params.id);
    return toNoContent();
  },
  { access: 'manager' },
);
