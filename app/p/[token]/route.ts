import { answerPickup } from '@/lib/pickup-check/server/page';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The page at which a shipper’s dock checks the truck of a load, by a pickup code.',
  access: 'token',
  params: ['token'],
  handle: (context) => answerPickup(context, context.request, context.token),
});

/** Sent by the form of that page, which works without scripts. */
export const POST = createRoute({
  summary: 'Checks whether a truck is that of a load, by a pickup code.',
  access: 'token',
  params: ['token'],
  handle: (context) => answerPickup(context, context.request, context.token),
});
