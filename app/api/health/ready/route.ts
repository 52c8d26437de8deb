import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/**
 * For whoever shares requests out: 200 where they should come here, 503 with the reasons where not. A database of accounts
 * that goes away is told and is no such reason: the map goes on for those who are known here and nowhere else. Where it was
 * never reached, nobody is known.
 */
export const GET = createRoute(
  async ({ runtime }) => {
    const notReady = runtime.readNotReady();
    const { state } = runtime.readAccountsDatabase();
    return Response.json(
      { ready: notReady.length === 0, notReady, accountsDatabase: state },
      { status: notReady.length === 0 ? 200 : 503, headers: { 'cache-control': 'no-store' } },
    );
  },
  { access: 'anyone' },
);
