import 'server-only';
import { toCsv } from '@/lib/view/csv';
import type { AuditEntry } from '@/lib/audit/schema';

const HEADER = ['time', 'who', 'what', 'on', 'outcome', 'address', 'details'];
const LINES_A_READ = 1000;

const toCells = ({ atMs, actor, action, subject, outcome, address, details }: AuditEntry) => [
  new Date(atMs).toISOString(),
  actor,
  action,
  subject,
  outcome,
  address,
  details === null ? null : JSON.stringify(details),
];

/**
 * The audit log as CSV in UTF-8, newest entry first, times in ISO 8601. It streams in pages of a thousand entries, so
 * memory use does not grow with the log.
 */
export const toAuditCsv = (
  read: (page: { limit: number; beforeId?: number }) => Promise<AuditEntry[]>,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  let beforeId: number | undefined;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(toCsv([HEADER]))),
    pull: async (controller) => {
      const lines = await read({ limit: LINES_A_READ, ...(beforeId !== undefined && { beforeId }) });
      if (lines.length > 0) controller.enqueue(encoder.encode(toCsv(lines.map(toCells))));
      beforeId = lines.at(-1)?.id;
      if (lines.length < LINES_A_READ) controller.close();
    },
  });
};
