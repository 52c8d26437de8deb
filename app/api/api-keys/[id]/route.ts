import { changeApiKey, revokeApiKey } from '@/lib/runtime/api-keys';
import { toNoContent } from '@/lib/runtime/no-content';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { keyChangeSchema } from '@/lib/wire/api-keys';

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

/** Ends the key at once. */
export const DELETE = createRoute<Params>(
  async (asked) => {
    await revokeApiKey(asked, asked.params.id);
    return toNoContent();
  },
  { access: 'manager' },
);
