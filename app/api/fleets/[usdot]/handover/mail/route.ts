import { handoverMailSchema } from '@/lib/handover/schema';
import { readHandoverMail, writeHandoverMail } from '@/lib/handover/server/mail-schedule';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'When the viewer gets the handover by mail.',
  access: 'fleet',
  params: ['usdot'],
  handle: (context) => readHandoverMail(context, context.usdot),
});

export const PUT = createRoute({
  summary: 'Sets when the viewer gets the handover by mail; null: never.',
  access: 'fleet',
  params: ['usdot'],
  body: handoverMailSchema.nullable(),
  handle: (context) => writeHandoverMail(context, context.usdot, context.body),
});
