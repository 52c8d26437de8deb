import { desc, eq, getTableColumns } from 'drizzle-orm';
import { redactSecrets } from '@/lib/base/credential-text';
import type { Database } from '@/lib/database/database';
import type { ServiceLog } from '../../log';
import { ingestTokens, refusedReports } from '../schema';

/** A report that ingest refused. */
export interface Refusal {
  tokenId: string;
  atMs: number;
  protocol: string;
  /** The code of the problem that was answered, and its detail. */
  code: string;
  detail: string;
  /** The device that no vehicle has, if that is the reason. */
  deviceId: string | null;
}

/** Enough to see a pattern, however many reports a wrong device sends. */
export const KEPT_PER_TOKEN = 100;
/** Short, because an installer watches the page; one statement per interval, however many reports are refused. */
const FLUSH_AFTER_MS = 1000;
const MAX_TEXT = 500;

const toKept = (text: string): string => redactSecrets(text).slice(0, MAX_TEXT);

/** Raw SQL: Drizzle has no INSERT from unnest(). */
const WRITE = `
INSERT INTO tracking.refused_reports (token_id, at_ms, protocol, code, detail, device_id)
SELECT token_id, at_ms, protocol, code, detail, device_id
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
  WITH ORDINALITY AS refused (token_id, at_ms, protocol, code, detail, device_id, place)
WHERE token_id IN (SELECT id FROM tracking.ingest_tokens) ORDER BY place`;
const PRUNE = `
DELETE FROM tracking.refused_reports WHERE id IN (
  SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY token_id ORDER BY id DESC) AS place
    FROM tracking.refused_reports WHERE token_id = ANY($1)
  ) AS kept WHERE place > ${KEPT_PER_TOKEN})`;

export const createRefusalStore = ({ pool, orm }: Database, now: () => number, log: ServiceLog) => {
  let pending = new Map<string, Refusal[]>();
  let timer: NodeJS.Timeout | null = null;

  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const refusals = [...pending.values()].flat();
    pending = new Map();
    if (refusals.length === 0) return;
    try {
      const column = <Key extends keyof Refusal>(key: Key) => refusals.map((each) => each[key]);
      const columns = ['tokenId', 'atMs', 'protocol', 'code', 'detail', 'deviceId'] as const;
      await pool.query(WRITE, columns.map(column));
      await pool.query(PRUNE, [[...new Set(column('tokenId'))]]);
    } catch (error) {
      log.warn(
        { refused: refusals.length, reason: (error as Error).message },
        'refused reports could not be kept',
      );
    }
  };

  return {
    /** Keeps a refusal, without secrets. It is written to the database within a second, or when the list is read. */
    note({ detail, deviceId, ...refusal }: Omit<Refusal, 'atMs'>): void {
      const kept = pending.get(refusal.tokenId) ?? [];
      // A redacted device id is the id of no device, so that no vehicle can be given it.
      const isWhole = deviceId !== null && redactSecrets(deviceId) === deviceId;
      kept.push({ ...refusal, detail: toKept(detail), deviceId: isWhole ? deviceId : null, atMs: now() });
      pending.set(refusal.tokenId, kept.slice(-KEPT_PER_TOKEN));
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS).unref();
    },

    /** The refusals of a carrier's tokens, the newest first. */
    async list(usdot: string): Promise<(Refusal & { tokenName: string })[]> {
      await flush();
      const { id: _id, ...columns } = getTableColumns(refusedReports);
      return orm
        .select({ ...columns, tokenName: ingestTokens.name })
        .from(refusedReports)
        .innerJoin(ingestTokens, eq(ingestTokens.id, refusedReports.tokenId))
        .where(eq(ingestTokens.usdot, usdot))
        .orderBy(desc(refusedReports.id));
    },

    /** Writes the pending refusals. */
    close: flush,
  };
};
