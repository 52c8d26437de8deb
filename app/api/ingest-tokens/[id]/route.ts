import { revokeIngestToken } from '@/lib/runtime/devices';
import { toNoContent } from '@/lib/runtime/no-content';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

/** Ends the token at once. */
export const DELETE = createRoute<{ id: string }>(
  async (asked) => {
    await revokeIngestToken(asked, asked.params.id);
    return toNoContent();
  },
  { access: 'manager' },
);
