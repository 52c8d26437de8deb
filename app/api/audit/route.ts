import { readQuery } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { auditAnswerSchema, auditPageSchema } from '@/lib/audit/schema';

export const dynamic = 'force-dynamic';

const LINES = 100;

/** Audit lines of changes and refusals, newest first, one page at a time. */
export const GET = createRoute(
  async ({ request, runtime, viewer }) => {
    const { beforeId, ...filter } = readQuery(request, auditPageSchema);
    const { auditLog } = runtime.accounts;
    const [lines, actions] = await Promise.all([
      auditLog.list(viewer, filter, { limit: LINES + 1, ...(beforeId !== undefined && { beforeId }) }),
      auditLog.listActions(),
    ]);
    const answer = { lines: lines.slice(0, LINES), actions, hasMore: lines.length > LINES };
    return auditAnswerSchema.parse(answer);
  },
  { access: 'manager' },
);
