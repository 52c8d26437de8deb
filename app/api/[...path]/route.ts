import { NoSuchRouteError } from '@/lib/http/guards';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** A caller of the API reads problem documents, not the page that a person gets for a wrong address. */
export const GET = createRoute(
  async ({ request }) => {
    throw new NoSuchRouteError(`Got ${new URL(request.url).pathname} when a path of the API is expected.`);
  },
  { access: 'anyone' },
);
