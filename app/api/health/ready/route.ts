import { createRoute } from '@/server/route';
import { toPublicSharing } from '@/lib/ops/health';

/**
 * An accounts database that goes away is reported but is no reason to send requests elsewhere, because users known to
 * this process still see the map. If it was never reached, the server is not ready, because no user can be known. Redis
 * that is away is no reason either: the server shows what it has.
 */
export const GET = createRoute({
  summary:
    'Readiness check for a load balancer: 200 when requests should come here, 503 with the reasons when not.',
  access: 'anyone',
  handle: ({ readNotReady, readAccountsDatabase, readServers }) => {
    const notReady = readNotReady();
    const { state } = readAccountsDatabase();
    return Response.json(
      {
        ...{ ready: notReady.length === 0, notReady, accountsDatabase: state },
        ...toPublicSharing(readServers()),
      },
      { status: notReady.length === 0 ? 200 : 503, headers: { 'cache-control': 'no-store' } },
    );
  },
});
