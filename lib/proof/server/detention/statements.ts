import 'server-only';
import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import { isSeenUnit, readSeenUnits } from '@/lib/access/unit-limit';
import { change, type ActionContext, type Audit, type RecordAction } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { toTranslate } from '@/lib/catalog/catalog';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { nameAmong } from '@/lib/view/unit-name';
import type { Block } from '../../blocks';
import type { StatementInput, StatementPreview, StatementRow, StayRef } from '../../detention';
import { toDetentionBlocks } from '../../kinds/detention-statement';
import type { IssuedDocument } from '../../schema';
import { issueDocument, type ProofServer } from '../documents';
import { findStay } from './stays';
import { draftStatement, type StatementDraft, type SubjectSource } from './subject';
import { detentionStatements } from './tables';

/** A request about the detention statements of a fleet. */
export type DetentionContext = ActionContext & {
  history: { reader: HistoryReader } | null;
  proof: ProofServer;
};

/** @throws AppError 'not-recorded' */
const toSource = ({ database, history, proof }: DetentionContext): SubjectSource => {
  if (history === null) throw new AppError('no-evidence');
  return { database, reader: history.reader, readVinCarrier: proof.readVinCarrier };
};

/** What a statement about a stay of a truck that the viewer sees would say now. @throws as `findStay` and `draftStatement` do */
const draftFor = async (context: DetentionContext, usdot: string, ref: StayRef): Promise<StatementDraft> => {
  const { database, viewer, clock } = context;
  const source = toSource(context);
  const seen = await readSeenUnits(database, viewer, usdot);
  const stay = await findStay(await database.open(), usdot, ref, { seen, nowMs: clock.nowMs() });
  return draftStatement(source, usdot, stay);
};

/**
 * The number of the statement about a stay, which the next one is a revision of, and the one that bills the same stay for another
 * load, whose customer may be another one; null: there is none.
 */
const findStatements = async (
  orm: Executor,
  usdot: string,
  { stay: { unit, siteId, arrivedMs, leftMs }, loadId, reference }: StatementDraft,
): Promise<{ number: string | null; other: { number: string; reference: string } | null }> => {
  const { rows } = await orm.execute<{ number: string; reference: string; loadId: number | null }>(sql`
    SELECT number, reference, load_id::float8 AS "loadId" FROM ${detentionStatements}
    WHERE usdot = ${usdot} AND unit = ${unit} AND site_id = ${siteId}
      AND arrived_ms <= ${leftMs} AND left_ms >= ${arrivedMs}
    ORDER BY first_ms`);
  // A load that was removed is known by its reference.
  const isOne = (row: (typeof rows)[number]): boolean =>
    loadId === null ||
    row.loadId === loadId ||
    (row.loadId === null && (row.reference === '' || row.reference === reference));
  const { number } = rows.find(isOne) ?? { number: null };
  return { number, other: rows.find((row) => row.number !== number) ?? null };
};

/** The facts of a document by their headings. */
const toParts = (blocks: readonly Block[]): StatementPreview['parts'] => {
  const parts: StatementPreview['parts'] = [{ heading: 'Truck', facts: [] }];
  for (const block of blocks)
    if (block.type === 'heading') parts.push({ heading: block.text, facts: [] });
    else if (block.type === 'facts') parts.at(-1)!.facts.push(...block.facts);
  return parts;
};

/** What a statement about a stay would say now. @throws AppError 'unknown-visit', 'visit-lasts', 'no-evidence', 'unknown-unit' */
export const previewStatement = async (
  context: DetentionContext,
  usdot: string,
  ref: StayRef,
): Promise<StatementPreview> => {
  const draft = await draftFor(context, usdot, ref);
  const { orm } = await context.database.open();
  const nowMs = context.clock.nowMs();
  const { subject, site, siteName, customer, loadId, truckName } = draft;
  const { number, other } = await findStatements(orm, usdot, draft);
  return {
    parts: subject === null ? [] : toParts(toDetentionBlocks({ subject, knownMs: nowMs }, toTranslate('en'))),
    amountCents: subject?.billing.amountCents ?? null,
    number,
    other: other && { number: other.number, reference: other.reference },
    about: `Truck ${truckName} at ${siteName}`,
    canMail: context.proof.sendMail !== null,
    ...{
      customer,
      siteId: site.id,
      siteName,
      isOwnCircle: site.isOfLoad === true,
      loadId,
    },
  };
};

interface Issue {
  draft: StatementDraft & { subject: NonNullable<StatementDraft['subject']> };
  issuer: Awaited<ReturnType<ProofServer['readIssuer']>>;
  number: string | null;
  isShownByNumber: boolean;
  madeBy: { address: string; id: string | null };
  knownMs: number;
}

/** Issues a statement, or its next revision, with the row that lists have of it. */
export const writeStatement = async (
  tx: Executor,
  {
    clock,
    proof,
    record,
  }: { clock: Pick<DetentionContext['clock'], 'nowMs'>; proof: ProofServer; record: RecordAction },
  { draft, issuer, number: revises, isShownByNumber, madeBy, knownMs }: Issue,
): Promise<IssuedDocument> => {
  const { stay, subject, loadId, siteName, customer, reference, timeZone, truckName, basis } = draft;
  const { unit, siteId, position, arrivedMs, leftMs } = stay;
  const issued = await issueDocument(
    tx,
    { clock, proof, record },
    {
      ...{ kind: 'detention-statement', subject, issuer, knownMs, unit, loadId },
      about: `Truck ${truckName} at ${siteName}`,
      ...{ revises, isShownByNumber, madeBy },
    },
  );
  const { billableMin, mostMin, amountCents } = subject.billing;
  const set = {
    ...{ revision: issued.revision, unit, siteId, siteName, loadId, position },
    ...{ reference, customer, timeZone, arrivedMs, leftMs, basis, billableMin, mostMin, amountCents },
    issuedMs: clock.nowMs(),
  };
  await tx
    .insert(detentionStatements)
    .values({ usdot: issuer.usdot, number: issued.number, ...set, firstMs: set.issuedMs })
    .onConflictDoUpdate({ target: [detentionStatements.usdot, detentionStatements.number], set });
  return issued;
};

/** Two requests for one stay make one statement: with a hash of the USDOT number. */
const STATEMENTS_LOCK = 0x44455445;

/**
 * Issues a statement about a stay; where there is one already, its next revision. @throws AppError 'unknown-visit',
 * 'visit-lasts', 'no-evidence', 'no-terms', 'unknown-unit', 'statement-changed'
 */
export const issueStatement = async (
  context: DetentionContext,
  usdot: string,
  { stay, isShownByNumber, amountCents }: StatementInput,
): Promise<IssuedDocument> => {
  const { viewer, clock, proof } = context;
  const knownMs = clock.nowMs();
  const draft = await draftFor(context, usdot, stay);
  const { subject } = draft;
  if (subject === null) throw new AppError('no-terms');
  if (subject.billing.amountCents !== amountCents) throw new AppError('statement-changed');
  const issuer = await proof.readIssuer(usdot, subject.truck.vin);
  return change(context, 'proof.issue', async (tx, record) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${STATEMENTS_LOCK}, hashtext(${usdot}))`);
    return writeStatement(
      tx,
      { clock, proof, record },
      {
        ...{ draft: { ...draft, subject }, issuer, knownMs, isShownByNumber },
        number: (await findStatements(tx, usdot, draft)).number,
        madeBy: { address: viewer.email ?? viewer.name, id: viewer.id },
      },
    );
  });
};

const toMonth = (month: string): { fromMs: number; toMs: number } => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return { fromMs: Date.UTC(year, number - 1, 1), toMs: Date.UTC(year, number, 1) };
};

/** A month by the clocks of places begins up to so long before or after that of UTC. */
const ZONES_MS = 14 * 3_600_000;

/** The statements of a fleet about stays that began in a month by the clocks of their places, the oldest first. */
export const listStatements = async (
  { database, history, viewer }: Pick<DetentionContext, 'database' | 'history' | 'viewer'>,
  usdot: string,
  month: string,
): Promise<StatementRow[]> => {
  const { orm } = await database.open();
  const { fromMs, toMs } = toMonth(month);
  const rows = await orm
    .select()
    .from(detentionStatements)
    .where(
      and(
        eq(detentionStatements.usdot, usdot),
        gte(detentionStatements.arrivedMs, fromMs - ZONES_MS),
        lt(detentionStatements.arrivedMs, toMs + ZONES_MS),
        sql`to_char(to_timestamp(arrived_ms / 1000.0) AT TIME ZONE time_zone, 'YYYY-MM') = ${month}`,
        isSeenUnit(viewer, usdot, detentionStatements.unit),
      ),
    )
    .orderBy(asc(detentionStatements.arrivedMs));
  const names =
    (await history?.reader.readNames(usdot, [...new Set(rows.map(({ unit }) => unit))])) ?? new Map();
  return rows.map(({ usdot: _usdot, basis: _basis, siteId: _siteId, position: _position, ...row }) => ({
    ...row,
    name: nameAmong(names, row.unit),
  }));
};

/** An audit record of what the server did by itself. */
export const recordByServer =
  (audit: Audit, tx: Executor): RecordAction =>
  (subject, details, action = 'proof.issue') =>
    audit.record({ by: 'server', action, subject, details }, tx);
