import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { changeSettings, readSettings } from '@/lib/settings/server/settings';
import { settingsChangeSchema } from '@/lib/settings/schema';

export const dynamic = 'force-dynamic';

/** Settings of the whole server. */
export const GET = createRoute(async ({ runtime, viewer }) => readSettings(runtime, viewer), {
  access: 'manager',
});

/** Changes the named settings. */
export const PATCH = createRoute(
  async ({ request, runtime, viewer, client }) => {
    const change = await readInput(request, settingsChangeSchema);
    await changeSettings(runtime, change, { viewer, address: client.address });
  },
  { access: 'manager' },
);
