import { alertPreferencesSchema } from '@/lib/alerts/schema';
import { readAlertAccount, writePreferences } from '@/lib/alerts/server/account';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'How the viewer hears of alerts.',
  access: 'viewer',
  handle: readAlertAccount,
});

export const PUT = createRoute({
  summary: 'Sets how the viewer hears of alerts.',
  access: 'viewer',
  body: alertPreferencesSchema,
  handle: (context) => writePreferences(context, context.body),
});
