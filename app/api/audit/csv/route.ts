import { toAuditCsv } from '@/lib/audit-log/server/audit-reader';
import { readQuery } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { openStream } from '@/lib/base/http/stream';
import { auditFilterSchema } from '@/lib/audit/schema';

export const dynamic = 'force-dynamic';

/** All audit lines that match a filter, as a file to save; the export itself is recorded first. */
export const GET = createRoute(
  async (context) => {
    const { request, runtime, client, viewer } = context;
    const filter = readQuery(request, auditFilterSchema);
    const { audit, auditLog } = runtime.accounts;
    await audit.record({ by: viewer, action: 'audit.export', address: client.address, details: filter });
    const { body } = await openStream(context, () =>
      toAuditCsv((page) => auditLog.list(viewer, filter, page)),
    );
    return new Response(body, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="linehaul-audit-log.csv"',
        'cache-control': 'no-store',
      },
    });
  },
  { access: 'manager' },
);
