import { revokeIngestToken } from '@/lib/devices/server/devices';
import { toNoContent } from '@/lib/http/no-content';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Revokes the token at once. */
export const DELETE = createRoute<{ id: string }>(
  async (asked) => {
    await revokeIngestToken(asked, asked.params.id);
    return toNoContent();
  },
  { access: 'manager' },
);
