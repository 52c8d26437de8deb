import { isNoneMatchFailed } from '@/lib/base/http/negotiation';
import { createRoute } from '@/lib/access/route';
import { requireTile } from '@/lib/map/server/map-sources';

export const dynamic = 'force-dynamic';

const CACHE_CONTROL = 'private, max-age=3600';

/** A tile of the street map as a gzip file, because Next.js drops the Content-Encoding of a handler. */
export const GET = createRoute<{ z: string; x: string; y: string }>(
  async ({ request, params, runtime }) => {
    const { z, x, y } = requireTile(params);
    const tile = await runtime.map.readStreetTile(z, x, y);
    const headers = new Headers({ 'cache-control': CACHE_CONTROL });
    if (tile === null) return new Response(null, { status: 204, headers });
    headers.set('etag', tile.etag);
    if (isNoneMatchFailed(request.headers.get('if-none-match'), tile.etag))
      return new Response(null, { status: 304, headers });
    headers.set('content-type', 'application/gzip');
    return new Response(tile.bytes, { headers });
  },
  { access: 'viewer' },
);
