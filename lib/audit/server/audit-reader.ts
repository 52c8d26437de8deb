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
  /** Entries in the manager's scope, newest first; `beforeId` starts the page before that entry. */
  list: (
    viewer: Viewer,
    filter: AuditFilter,
    page: { limit: number; beforeId?: number },
  ) => Promise<AuditLine[]>;
  /** Every action that occurs in the log. */
  listActions: () => Promise<string[]>;
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

const hideDetails = (details: AuditLine['details'], hideName: HideName, usdots: readonly string[]) => {
  // Details of another carrier's vehicle or key also identify that carrier, so all of them are hidden.
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

/** Hides from a limited manager the names of users who see fleets outside the manager's scope. */
export const createAuditReader = (open: () => Promise<Database>): AuditReader => ({
  list: async (viewer, filter, page) => {
    const { usdots } = viewer;
    const lines = await listAuditLines(await open(), { ...filter, ...page, usdots });
    const hideName = await createHideName(open, viewer);
    return lines.map((line) => toVisible(line, hideName, usdots));
  },
  listActions: async () => listAuditActions(await open()),
});
