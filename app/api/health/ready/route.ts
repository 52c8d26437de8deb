import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

/** For whoever shares requests out: 200 where they should come here, 503 with the reasons where not. */
export const GET = createRoute(
  async ({ runtime }) => {
    const notReady = runtime.readNotReady();
    return Response.json(
      { ready: notReady.length === 0, notReady },
      { status: notReady.length === 0 ? 200 : 503, headers: { 'cache-control': 'no-store' } },
    );
  },
  { access: 'anyone' },
);
