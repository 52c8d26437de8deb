import { mailQuerySchema, scheduledMailSchema } from '@/lib/handover/schema';
import { readMailSchedule, writeMailSchedule } from '@/lib/handover/server/mail-schedule';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'When the viewer gets the handover, or a report, by mail.',
  access: 'fleet',
  params: ['usdot'],
  query: mailQuerySchema,
  handle: (context) => readMailSchedule(context, context.usdot, context.query.kind),
});

export const PUT = createRoute({
  summary: 'Sets when the viewer gets the handover, or a report, by mail; null: never.',
  access: 'fleet',
  params: ['usdot'],
  query: mailQuerySchema,
  body: scheduledMailSchema.nullable(),
  handle: (context) => writeMailSchedule(context, context.usdot, context.query.kind, context.body),
});
