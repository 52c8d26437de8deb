import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import type { Audit } from '@/lib/audit/audit';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import { DAY_MS, MINUTE_MS } from '@/lib/base/time';
import type { Database } from '@/lib/database/database';
import type { JobSet } from '@/lib/jobs/jobs';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { Stay } from '../../evidence';
import type { DetentionStatement } from '../../kinds/detention-statement';
import { readDocument, type ProofServer } from '../documents';
import { recordByServer, writeStatement } from './statements';
import { BASIS } from './stays';
import { draftStatement } from './subject';
import { detentionStatements } from './tables';

/** Fixes that are handed over later than this change nothing any more. */
const CORRECTED_MS = 60 * DAY_MS;
const BUSY_MS = 0;

interface CorrectionsOptions {
  database: () => Database;
  reader: () => HistoryReader;
  /** Runs after all is composed. */
  proof: () => {
    proof: ProofServer;
    audit: Audit;
  };
  clock: Pick<Clock, 'nowMs'>;
  log: Record<'warn', (fields: object, message: string) => void>;
  /** For tests. */
  pollMs?: number;
}

interface Moved extends Record<string, unknown>, Stay {
  usdot: string;
  number: string;
  unit: string;
  siteId: number;
  loadId: number | null;
  position: number | null;
  /** All of its visits have ended. */
  isOver: boolean;
  now: string;
  /** What it was about when it was issued: the times of its visits, and the stay. */
  basis: string;
  wasArrivedMs: number;
  wasLeftMs: number;
}

/** The stay as it is known now: one that began or ended within a visit, because another truck had the load, still does. */
const toStay = ({ basis, wasArrivedMs, wasLeftMs, ...now }: Moved): Stay => {
  const { arrivedAfterMs, arrivedMs, leftMs, leftByMs } = now;
  const visits = basis.split(',').map((text) => text.split(' ').map(Number));
  const isBegun = visits.some(([, arrived]) => arrived! < wasArrivedMs);
  const isEnded = visits.some(([, , left]) => left! > wasLeftMs || left === -1);
  return {
    ...(isBegun ? { arrivedAfterMs: null, arrivedMs: wasArrivedMs } : { arrivedAfterMs, arrivedMs }),
    ...(isEnded ? { leftMs: wasLeftMs, leftByMs: wasLeftMs } : { leftMs, leftByMs }),
  };
};

/** The next statement whose visits have other times than when it was issued, with the whole of these visits. */
const READ_MOVED = (fromMs: number) => sql`
  SELECT d.usdot, d.number, d.unit, d.site_id AS "siteId", d.load_id::float8 AS "loadId", d.position, d.basis,
    d.arrived_ms::float8 AS "wasArrivedMs", d.left_ms::float8 AS "wasLeftMs", b.*
  FROM ${detentionStatements} d
  JOIN LATERAL (
    SELECT ${BASIS} AS now,
      (array_agg(arrived_after_ms::float8 ORDER BY arrived_ms))[1] AS "arrivedAfterMs", min(arrived_ms)::float8 AS "arrivedMs",
      max(left_ms)::float8 AS "leftMs", (array_agg(left_by_ms::float8 ORDER BY arrived_ms DESC))[1] AS "leftByMs",
      bool_and(left_ms IS NOT NULL) AS "isOver"
    FROM linehaul.site_visits
    WHERE usdot = d.usdot AND site_id = d.site_id AND unit = d.unit
      AND arrived_ms <= d.left_ms AND (left_ms IS NULL OR left_ms >= d.arrived_ms)
  ) b ON b.now IS DISTINCT FROM d.basis AND b."leftMs" IS NOT NULL
  WHERE d.first_ms > ${fromMs}
  ORDER BY d.first_ms LIMIT 1`;

/**
 * Issues the next revision of one statement whose times have moved, as after fixes that came late; false: there is none. A
 * statement that says the same by now gets none.
 */
const correctNext = async (options: CorrectionsOptions): Promise<boolean> => {
  const { database, reader, clock, log } = options;
  const { proof, audit } = options.proof();
  const { orm, pool } = database();
  const nowMs = clock.nowMs();
  const { rows } = await orm.execute<Moved>(READ_MOVED(nowMs - CORRECTED_MS));
  const [moved] = rows;
  if (!moved) return false;
  const { usdot, number, unit, siteId, loadId, position, isOver, now } = moved;
  const source = {
    database: { open: async () => ({ orm, pool }) },
    reader: reader(),
    readVinCarrier: proof.readVinCarrier,
  };
  const before = (await readDocument(orm, number))?.content;
  if (before?.kind !== 'detention-statement') throw new Error(`There is no statement ${number}.`);
  const { subject: said } = before;
  const stay = { unit, siteId, load: null, position, earlier: [], ...toStay(moved) };
  // Where the truck is there again, or its fixes are gone, the statement stays as it is.
  const draft = isOver
    ? await draftStatement(source, usdot, stay, { subject: said, loadId }).catch((error: unknown) => {
        if (error instanceof AppError) return null;
        throw error;
      })
    : null;
  const issuer = await proof.readIssuer(usdot, draft?.subject?.truck.vin ?? null);
  await orm.transaction(async (tx) => {
    const { rows: locked } = await tx.execute(sql`
      SELECT 1 FROM ${detentionStatements} WHERE usdot = ${usdot} AND number = ${number} AND basis <> ${now} FOR UPDATE`);
    if (locked.length === 0) return;
    const subject = draft?.subject ?? null;
    const timesOf = ({ arrival, departure, billing }: DetentionStatement) => [arrival, departure, billing];
    // By another edge they are not moved by fixes: a statement is by the edge that was agreed then.
    const isSame =
      subject === null ||
      !isDeepStrictEqual(said.place, subject.place) ||
      isDeepStrictEqual(timesOf(said), timesOf(subject));
    if (isSame) {
      await tx.execute(
        sql`UPDATE ${detentionStatements} SET basis = ${now} WHERE usdot = ${usdot} AND number = ${number}`,
      );
      return;
    }
    await writeStatement(
      tx,
      { clock, proof, record: recordByServer(audit, tx) },
      {
        draft: { ...draft!, subject },
        ...{ issuer, number, isShownByNumber: false, knownMs: nowMs },
        madeBy: { address: 'server', id: null },
      },
    );
    log.warn({ usdot, number }, 'A detention statement was corrected by later fixes.');
  });
  return true;
};

const run = async (options: CorrectionsOptions): Promise<number> =>
  (await correctNext(options)) ? BUSY_MS : (options.pollMs ?? MINUTE_MS);

/** Issues revisions of detention statements whose times later fixes have moved. */
export const createCorrections = (options: CorrectionsOptions): JobSet => ({
  kinds: [
    {
      ...{ name: 'detention-corrections', isUpkeep: true, slots: 1, pollMs: options.pollMs ?? MINUTE_MS },
      run: () => run(options),
    },
  ],
});
