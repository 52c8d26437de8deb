import { keepEncoding } from '@/lib/http/keep-encoding';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** The embedded service's door: it decides about methods itself, so that its refusals are its own. */
const serve = createRoute(
  async ({ request, runtime }) => keepEncoding(await runtime.serveTracking(request)),
  { access: 'device' },
);

export const GET = serve;
export const HEAD = serve;
export const POST = serve;
export const PUT = serve;
export const PATCH = serve;
export const DELETE = serve;
export const OPTIONS = serve;
