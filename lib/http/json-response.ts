import 'server-only';

/** An answer that must not be cached. */
export const toJsonResponse = (body: unknown): Response =>
  Response.json(body, { headers: { 'cache-control': 'no-store' } });
