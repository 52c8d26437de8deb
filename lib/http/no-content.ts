import 'server-only';

/** Done, and there is nothing to say about it. */
export const toNoContent = (): Response =>
  new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
