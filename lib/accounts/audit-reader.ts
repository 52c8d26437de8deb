import 'server-only';
import { listAuditActions, listAuditLines } from '@/lib/storage/audit-log';
import type { AuditLine, AuditQuestion } from '@/lib/storage/audit-log';
import type { Database } from '@/lib/storage/database';
import type { Viewer } from '@/lib/wire/viewer';

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

/** A manager who is limited to some USDOT numbers reads of users who see no others. */
export const createAuditReader = (open: () => Promise<Database>): AuditReader => ({
  list: async ({ usdots }, filter, page) => listAuditLines(await open(), { ...filter, ...page, usdots }),
  listActions: async () => listAuditActions(await open()),
});
