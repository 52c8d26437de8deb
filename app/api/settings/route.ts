import { toJsonResponse } from '@/lib/runtime/json-response';
import { toNoContent } from '@/lib/runtime/no-content';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { changeSettings, readSettings } from '@/lib/runtime/settings';
import { settingsChangeSchema } from '@/lib/wire/settings';

export const dynamic = 'force-dynamic';

/** What holds for the whole server. */
export const GET = createRoute(
  async ({ request, runtime, viewer }) => toJsonResponse(request, await readSettings(runtime, viewer)),
  { access: 'manager' },
);

/** Changes what is named. */
export const PATCH = createRoute(
  async ({ request, runtime, viewer, asker }) => {
    const change = await readInput(request, settingsChangeSchema);
    await changeSettings(runtime, change, { viewer, address: asker.address });
    return toNoContent();
  },
  { access: 'manager' },
);
