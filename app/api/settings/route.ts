import { createRoute } from '@/server/route';
import { changeSettings, readSettings } from '@/lib/settings/server/settings';
import { settingsChangeSchema } from '@/lib/settings/schema';

export const GET = createRoute({
  summary: 'Settings of the whole server.',
  access: 'manager',
  handle: (context) => readSettings(context, context.viewer),
});

export const PATCH = createRoute({
  summary: 'Changes the named settings.',
  access: 'manager',
  body: settingsChangeSchema,
  handle: (context) => changeSettings(context, context.body, context),
});
