import 'server-only';

/** An answer that no cache may keep. */
export const toJsonResponse = (body: unknown): Response =>
  Response.json(body, { headers: { 'cache-control': 'no-store' } });
