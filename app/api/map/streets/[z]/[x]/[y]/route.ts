import { isNoneMatchFailed } from '@/lib/base/http/negotiation';
import { createRoute } from '@/server/route';
import { requireTile } from '@/lib/map/server/map-sources';

const CACHE_CONTROL = 'private, max-age=3600';

export const GET = createRoute({
  // Next.js drops the Content-Encoding of a handler.
  summary: 'A tile of the street map as a gzip file.',
  access: 'viewer',
  params: ['z', 'x', 'y'],
  handle: async (context) => {
    const { z, x, y } = requireTile(context);
    const tile = await context.map.readStreetTile(z, x, y);
    const headers = new Headers({ 'cache-control': CACHE_CONTROL });
    if (tile === null) return new Response(null, { status: 204, headers });
    headers.set('etag', tile.etag);
    if (isNoneMatchFailed(context.request.headers.get('if-none-match'), tile.etag))
      return new Response(null, { status: 304, headers });
    headers.set('content-type', 'application/gzip');
    return new Response(tile.bytes, { headers });
  },
});
