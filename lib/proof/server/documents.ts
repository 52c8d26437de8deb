import 'server-only';
import { createHash, randomBytes } from 'node:crypto';
import { CompactSign, importJWK } from 'jose';
import { and, desc, eq } from 'drizzle-orm';
import { isSeenUnit, readSeenUnits } from '@/lib/access/unit-limit';
import { change, listChanges, type ActionContext, type RecordAction } from '@/lib/audit/audit';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import type { SendMail } from '@/lib/jobs/mailer';
import type { VinCarrier } from '@/lib/wire/unit';
import { toCanonical } from '../canonical';
import { FORMAT, type DocumentIssuer, type DocumentKind } from '../content';
import { parseDocument, type ProofDocument, type Subjects } from '../document';
import { JWS_TYPE } from '../keys';
import { toNumber } from '../number';
import type { DocumentChange, DocumentRow, IssuedDocument } from '../schema';
import { lockSigningKey } from './keys';
import { proofDocuments } from './tables';

/** What issuing documents needs of the server. */
export interface ProofServer {
  /** Seals the keys. */
  secret: string;
  /**
   * Who issues the documents of a fleet, with the MC number that the provider has for the VIN of a truck: it requests both, so it
   * is called before a transaction. Takes a second at most, and never rejects.
   */
  readIssuer: (usdot: string, vin: string | null) => Promise<DocumentIssuer>;
  /** The provider's answer for a VIN; null: it gave none within a second. Never rejects. */
  readVinCarrier: (usdot: string, vin: string) => Promise<VinCarrier | null>;
  /** Null: the server sends no mail. */
  sendMail: SendMail | null;
}

export interface IssueContext {
  clock: Pick<Clock, 'nowMs'>;
  proof: Pick<ProofServer, 'secret'>;
  /** Writes the audit record of the issue: `recorderOf` of a viewer's action, or one by 'server'. */
  record: RecordAction;
}

/** A document to be issued. */
export type DocumentInput = {
  [Kind in DocumentKind]: { kind: Kind; subject: Subjects[Kind] };
}[DocumentKind] & {
  issuer: DocumentIssuer;
  /** It is by what was recorded until then, Unix ms. */
  knownMs: number;
  /** The truck by its key, and the load if it is about one. */
  unit: string;
  loadId: number | null;
  /** What lists call it, such as "Truck 4107 at Acme Rolla". */
  about: string;
  /** The number of the document of which this is the next revision; null: it is a new one. */
  revises: string | null;
  /** Of a revision: as the one before has it. */
  isShownByNumber: boolean;
  /** An address, or "server" for a correction that it makes by itself. */
  madeBy: { address: string; id: string | null };
};

/** 12 symbols are left of so many random bytes in all but a few draws. */
const DRAWN_BYTES = 24;

const drawNumber = (): string => toNumber(randomBytes(DRAWN_BYTES)) ?? drawNumber();

export const hashContent = (content: string): string => createHash('sha256').update(content).digest('hex');

/** The newest revision of a document, which nothing else revises until the transaction ends. @throws AppError 'unknown-document' */
const lockNewest = async (tx: Executor, usdot: string, number: string) => {
  // The first revision is the lock: the newest one of a moment ago need not be that any more.
  const rows = await tx
    .select()
    .from(proofDocuments)
    .where(and(eq(proofDocuments.number, number), eq(proofDocuments.revision, 1)))
    .for('update');
  const [newest] = await tx
    .select()
    .from(proofDocuments)
    .where(and(eq(proofDocuments.number, number), eq(proofDocuments.usdot, usdot)))
    .orderBy(desc(proofDocuments.revision))
    .limit(1);
  if (rows.length === 0 || !newest) throw new AppError('unknown-document');
  return newest;
};

/** The MC number of a carrier as its newest document has it: a provider that does not answer now had it then; null: none has. */
const readLastMc = async (tx: Executor, usdot: string): Promise<string | null> => {
  const [newest] = await tx
    .select({ jws: proofDocuments.jws })
    .from(proofDocuments)
    .where(eq(proofDocuments.usdot, usdot))
    .orderBy(desc(proofDocuments.issuedMs))
    .limit(1);
  if (!newest) return null;
  const payload = Buffer.from(newest.jws.split('.')[1]!, 'base64url').toString();
  return parseDocument(payload)?.issuer.mc ?? null;
};

/** The compact form of a signed document. */
const sign = async (content: string, { kid, x, d }: { kid: string; x: string; d: string }): Promise<string> =>
  new CompactSign(new TextEncoder().encode(content))
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: JWS_TYPE })
    .sign(await importJWK({ kty: 'OKP', crv: 'Ed25519', x, d }, 'EdDSA'));

/**
 * Signs and stores a document in a transaction. What was issued before never
 * changes: a correction is a revision of its own.
 *
 * @throws AppError 'unknown-document' where it revises one that the fleet does not have
 */
export const issueDocument = async (
  tx: Executor,
  { clock, proof, record }: IssueContext,
  input: DocumentInput,
): Promise<IssuedDocument> => {
  const { kind, subject, knownMs, unit, loadId, about, madeBy } = input;
  const { usdot } = input.issuer;
  const issuer = { ...input.issuer, mc: input.issuer.mc ?? (await readLastMc(tx, usdot)) };
  const before = input.revises === null ? null : await lockNewest(tx, usdot, input.revises);
  const key = await lockSigningKey(tx, proof.secret, clock.nowMs());
  const issuedMs = Math.max(clock.nowMs(), key.fromMs, before?.issuedMs ?? 0);
  const number = before?.number ?? drawNumber();
  const revision = (before?.revision ?? 0) + 1;
  const isShownByNumber = before?.isShownByNumber ?? input.isShownByNumber;
  const content = toCanonical({
    ...{ format: FORMAT, kind, number, revision, revises: before?.revision ?? null },
    ...{ issuedMs, issuer, knownMs, subject },
  });
  if (parseDocument(content) === null) throw new TypeError(`The subject is no ${kind}.`);
  await tx.insert(proofDocuments).values({
    ...{ number, revision, usdot, kind, unit, loadId, about, issuedMs, kid: key.kid },
    ...{ jws: await sign(content, key), contentHash: hashContent(content) },
    isShownByNumber,
    ...{ madeBy: madeBy.address, madeById: madeBy.id },
  });
  await record(number, { usdot, kind, revision, about });
  return { number, revision, isShownByNumber };
};

/** A document as it is stored, with its content. */
export interface StoredDocument extends DocumentRow {
  usdot: string;
  content: ProofDocument;
  /** Its canonical JSON. */
  json: string;
  jws: string;
  /** The key that signed it. */
  kid: string;
}

const LISTED = {
  number: proofDocuments.number,
  revision: proofDocuments.revision,
  kind: proofDocuments.kind,
  unit: proofDocuments.unit,
  loadId: proofDocuments.loadId,
  about: proofDocuments.about,
  issuedMs: proofDocuments.issuedMs,
  isShownByNumber: proofDocuments.isShownByNumber,
  madeBy: proofDocuments.madeBy,
};

/** The canonical JSON of a signed document. */
export const toJson = (jws: string): string => Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString();

/** A revision of a document by its number, or the newest one; null: there is none. Who may see it is up to the caller. */
export const readDocument = async (
  tx: Executor,
  number: string,
  revision: number | null = null,
): Promise<StoredDocument | null> => {
  const rows = await tx
    .select({ ...LISTED, usdot: proofDocuments.usdot, jws: proofDocuments.jws, kid: proofDocuments.kid })
    .from(proofDocuments)
    .where(eq(proofDocuments.number, number))
    .orderBy(desc(proofDocuments.revision));
  const row = revision === null ? rows[0] : rows.find((each) => each.revision === revision);
  if (!row) return null;
  const json = toJson(row.jws);
  const content = parseDocument(json);
  if (content === null) throw new Error(`The stored document ${number} cannot be read.`);
  return { ...row, newest: rows[0]!.revision, content, json };
};

/** The name of a file of a document. */
export const toFileName = (
  { kind, number: of, revision }: Pick<StoredDocument, 'kind' | 'number' | 'revision'>,
  ending: string,
): string => `${kind}-${of}-r${revision}.${ending}`;

/** Documents that are listed: the newest of them. */
const MOST_LISTED = 2000;

/** The newest revisions of a fleet's documents about the trucks that a viewer sees, the newest first. */
export const listDocuments = async (
  { database, viewer }: Pick<ActionContext, 'database' | 'viewer'>,
  usdot: string,
  filter: { kind?: DocumentKind; loadId?: number } = {},
): Promise<DocumentRow[]> => {
  const { orm } = await database.open();
  const rows = await orm
    .selectDistinctOn([proofDocuments.number], LISTED)
    .from(proofDocuments)
    .where(
      and(
        eq(proofDocuments.usdot, usdot),
        filter.kind && eq(proofDocuments.kind, filter.kind),
        filter.loadId === undefined ? undefined : eq(proofDocuments.loadId, filter.loadId),
        isSeenUnit(viewer, usdot, proofDocuments.unit),
      ),
    )
    .orderBy(proofDocuments.number, desc(proofDocuments.revision));
  return rows
    .sort((a, b) => b.issuedMs - a.issuedMs)
    .slice(0, MOST_LISTED)
    .map((row) => ({ ...row, newest: row.revision }));
};

/** @throws AppError 'unknown-document' for a truck that the viewer does not see */
export const requireSeenDocument = async (
  { database, viewer }: Pick<ActionContext, 'database' | 'viewer'>,
  usdot: string,
  unit: string,
): Promise<void> => {
  const units = await readSeenUnits(database, viewer, usdot);
  if (units !== null && !units.has(unit)) throw new AppError('unknown-document');
};

/** Changes who sees a document by its number: all revisions of it. @throws AppError 'unknown-document' */
export const changeDocument = (
  context: ActionContext,
  usdot: string,
  documentNumber: string,
  after: DocumentChange,
): Promise<void> =>
  change(context, 'proof.change', async (tx, record) => {
    const before = await lockNewest(tx, usdot, documentNumber);
    await requireSeenDocument(context, usdot, before.unit);
    const changes = listChanges(before, after, ['isShownByNumber']);
    if (Object.keys(changes).length === 0) return;
    await tx
      .update(proofDocuments)
      .set({ isShownByNumber: after.isShownByNumber })
      .where(eq(proofDocuments.number, documentNumber));
    await record(documentNumber, { usdot, ...changes });
  });
