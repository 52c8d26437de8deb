import { alertPreferencesSchema } from '@/lib/alerts/schema';
import { readAlertAccount, writePreferences } from '@/lib/alerts/server/account';
import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** How the viewer hears of alerts. */
export const GET = createRoute((context) => readAlertAccount(context), { access: 'viewer' });

export const PUT = createRoute(
  async (context) => writePreferences(context, await readInput(context.request, alertPreferencesSchema)),
  { access: 'viewer' },
);
