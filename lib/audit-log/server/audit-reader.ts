import 'server-only';
import { listAuditRecords, type AuditRecord, type ScopedAuditRecord } from '@/lib/audit/audit-repository';
import type { ActionContext } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import { HIDDEN, type AuditEntry, type AuditFilterInput } from '@/lib/audit/schema';
import { HIDDEN_MANAGER } from '@/lib/users/schema';
import { createHideName, type HideName } from '@/lib/users/server/user-scope';
import { toCsv, toCsvFile } from '@/lib/base/text/csv';

/** At most so many entries; `beforeId` starts the page before that entry. */
interface AuditPage {
  limit: number;
  beforeId?: number | undefined;
}

/** A value of details in which every user and fleet outside the scope is hidden. */
const hideIn = (name: string, value: unknown, hideName: HideName, usdots: readonly string[]): unknown => {
  if (typeof value === 'string') {
    const isFleet = name === 'usdot' || name === 'usdots';
    return isFleet && !usdots.includes(value) ? HIDDEN : hideName(value);
  }
  if (Array.isArray(value)) return [...new Set(value.map((each) => hideIn(name, each, hideName, usdots)))];
  if (typeof value !== 'object' || value === null) return value;
  // "before" and "after" hold values of the field that contains them.
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      hideIn(key === 'before' || key === 'after' ? name : key, each, hideName, usdots),
    ]),
  );
};

const hideDetails = (details: AuditRecord['details'], hideName: HideName, usdots: readonly string[]) => {
  // Details of another carrier's vehicle or key also identify that carrier, so all of them are hidden.
  if (typeof details?.usdot === 'string' && !usdots.includes(details.usdot)) return { usdot: HIDDEN };
  return hideIn('', details, hideName, usdots) as AuditRecord['details'];
};

const toVisible = (
  { isActorWithin, isSubjectWithin, ...line }: ScopedAuditRecord,
  hideName: HideName,
  usdots: readonly string[] | null,
): AuditRecord => {
  if (usdots === null) return line;
  const { actorId, actor, subject, address, details } = line;
  return {
    ...line,
    ...(isActorWithin
      ? { actorId, actor, address }
      : { actorId: null, actor: HIDDEN_MANAGER, address: address === null ? null : HIDDEN }),
    subject: isSubjectWithin || subject === null ? subject : HIDDEN,
    details: hideDetails(details, hideName, usdots),
  };
};

/** Entries in the manager's scope, newest first, with the names of users beyond it hidden. */
export const listAuditLog = async (
  { database }: Pick<ActionContext, 'database'>,
  viewer: Viewer,
  filter: AuditFilterInput,
  page: AuditPage,
): Promise<AuditRecord[]> => {
  const { usdots } = viewer;
  const lines = await listAuditRecords((await database.open()).orm, { ...filter, ...page, usdots });
  const hideName = await createHideName(database, viewer);
  return lines.map((line) => toVisible(line, hideName, usdots));
};

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

/** The audit log as CSV in UTF-8, newest entry first, times in ISO 8601; streamed in pages, so that memory does not grow. */
export async function* toAuditCsv(read: (page: AuditPage) => Promise<AuditEntry[]>): AsyncGenerator<string> {
  yield toCsvFile([HEADER]);
  let beforeId: number | undefined;
  for (;;) {
    const lines = await read({ limit: LINES_A_READ, beforeId });
    if (lines.length > 0) yield toCsv(lines.map(toCells));
    beforeId = lines.at(-1)?.id;
    if (lines.length < LINES_A_READ) return;
  }
}
