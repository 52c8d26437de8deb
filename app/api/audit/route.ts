import { createRoute } from '@/server/route';
import { auditAnswerSchema, auditPageSchema } from '@/lib/audit/schema';
import { listAuditActions } from '@/lib/audit/audit-repository';
import { listAuditLog } from '@/lib/audit-log/server/audit-reader';

const LINES = 100;

export const GET = createRoute({
  summary: 'Audit entries of changes and refusals, newest first, one page at a time.',
  access: 'manager',
  query: auditPageSchema,
  answer: auditAnswerSchema,
  handle: async (context) => {
    const { beforeId, ...filter } = context.query;
    const { orm } = await context.database.open();
    const [lines, actions] = await Promise.all([
      listAuditLog(context, context.viewer, filter, {
        limit: LINES + 1,
        ...(beforeId !== undefined && { beforeId }),
      }),
      listAuditActions(orm),
    ]);
    return { lines: lines.slice(0, LINES), actions, hasMore: lines.length > LINES };
  },
});
