import { createRoute } from '@/lib/access/route';
import { toPublicSharing } from '@/lib/ops/health';

export const dynamic = 'force-dynamic';

/**
 * Readiness check for a load balancer: 200 when requests should come here, 503 with the reasons when not. An
 * accounts database that goes away is reported but is no such reason, because users known to this process
 * still see the map. If it was never reached, the server is not ready, because no user can be known. Redis that is away
 * is no reason either: the server shows what it has.
 */
export const GET = createRoute(
  async ({ runtime }) => {
    const notReady = runtime.readNotReady();
    const { state } = runtime.readAccountsDatabase();
    return Response.json(
      {
        ...{ ready: notReady.length === 0, notReady, accountsDatabase: state },
        ...toPublicSharing(runtime.readServers()),
      },
      { status: notReady.length === 0 ? 200 : 503, headers: { 'cache-control': 'no-store' } },
    );
  },
  { access: 'anyone' },
);
