import 'server-only';

/** A success without a body. */
export const toNoContent = (): Response =>
  new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
