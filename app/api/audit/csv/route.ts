import { listAuditLog, toAuditCsv } from '@/lib/audit-log/server/audit-reader';
import { createRoute } from '@/server/route';
import { openStream } from '@/lib/base/http/stream';
import { auditFilterSchema } from '@/lib/audit/schema';

export const GET = createRoute({
  summary: 'All audit entries that match a filter, as a file; the export itself is recorded first.',
  access: 'manager',
  query: auditFilterSchema,
  handle: async (context) => {
    const { audit, client, viewer, query: filter } = context;
    await audit.record({ by: viewer, action: 'audit.export', address: client.address, details: filter });
    const { body } = await openStream(context, () =>
      toAuditCsv((page) => listAuditLog(context, viewer, filter, page)),
    );
    return new Response(body, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="linehaul-audit-log.csv"',
        'cache-control': 'no-store',
      },
    });
  },
});
