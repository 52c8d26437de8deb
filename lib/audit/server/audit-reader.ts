import 'server-only';
import { listAuditActions, listAuditLines } from './audit-repository';
import type { AuditLine, AuditQuestion, ScopedAuditLine } from './audit-repository';
import type { Database } from '@/lib/postgres/database';
import { HIDDEN } from '@/lib/audit/schema';
import { HIDDEN_MANAGER } from '@/lib/users/schema';
import type { Viewer } from '@/lib/auth/viewer';
import { createHideName } from '@/lib/users/server/hidden-names';
import type { HideName } from '@/lib/users/server/hidden-names';

export type AuditFilter = Omit<AuditQuestion, 'limit' | 'beforeId' | 'usdots'>;

export interface AuditReader {
  /** Lines that a manager may read, the newest first; from before a line on, where its id is given. */
  list: (
    viewer: Viewer,
    filter: AuditFilter,
    page: { limit: number; beforeId?: number },
  ) => Promise<AuditLine[]>;
  /** Every action of which there is a line. */
  listActions: () => Promise<string[]>;
}

/** A value of details with everything hidden that names a user or a fleet beyond the scope. */
const hideIn = (name: string, value: unknown, hideName: HideName, usdots: readonly string[]): unknown => {
  if (typeof value === 'string') {
    const isFleet = name === 'usdot' || name === 'usdots';
    return isFleet && !usdots.includes(value) ? HIDDEN : hideName(value);
  }
  if (Array.isArray(value)) return [...new Set(value.map((each) => hideIn(name, each, hideName, usdots)))];
  if (typeof value !== 'object' || value === null) return value;
  // "before" and "after" are of what the name around them is.
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      hideIn(key === 'before' || key === 'after' ? name : key, each, hideName, usdots),
    ]),
  );
};

const hideDetails = (details: AuditLine['details'], hideName: HideName, usdots: readonly string[]) => {
  // What is known of a vehicle or a key of another carrier names that carrier as well.
  if (typeof details?.usdot === 'string' && !usdots.includes(details.usdot)) return { usdot: HIDDEN };
  return hideIn('', details, hideName, usdots) as AuditLine['details'];
};

const toVisible = (
  { isActorWithin, isSubjectWithin, ...line }: ScopedAuditLine,
  hideName: HideName,
  usdots: readonly string[] | null,
): AuditLine => {
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

/** A manager who is limited to some USDOT numbers reads of users who see no others, and of others only that there was one. */
export const createAuditReader = (open: () => Promise<Database>): AuditReader => ({
  list: async (viewer, filter, page) => {
    const { usdots } = viewer;
    const lines = await listAuditLines(await open(), { ...filter, ...page, usdots });
    const hideName = await createHideName(open, viewer);
    return lines.map((line) => toVisible(line, hideName, usdots));
  },
  listActions: async () => listAuditActions(await open()),
});
