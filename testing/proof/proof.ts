import { afterAll, beforeAll } from 'vitest';
import { recorderOf } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import type { Executor } from '@/lib/database/database';
import type { PositionCertificate } from '@/lib/proof/kinds/position-certificate';
import type { IssuedDocument } from '@/lib/proof/schema';
import { issueDocument, type DocumentInput } from '@/lib/proof/server/documents';
import type { SignIn } from '@/server/sign-in';
import { MANAGER, createTestSignIn, insertViewer, toClient } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';

export const PROOF_SECRET = 'a secret of a test, long enough to sign with';
export const ANN: Viewer = { ...MANAGER, id: 'a', name: 'Ann', email: 'ann@carrier.test' };
export const PROOF_USDOT = '9000001';

/** A certificate that shows little but the number of its truck. */
export const certificateOf = (number: string): PositionCertificate => ({
  truck: { number, vin: null, plate: null },
  ...{ fields: ['truckNumber'], fromMs: 1000, toMs: 1000, timeZone: 'America/Chicago', made: 0, fixes: [] },
  ...{ beforeMs: null, afterMs: null, states: null, gaps: [], places: null, visits: null },
});

/** A document about a truck, unless something else is given. */
export const documentOf = (changes: Partial<DocumentInput> = {}): DocumentInput =>
  ({
    kind: 'position-certificate',
    subject: certificateOf('4107'),
    issuer: {
      carrier: 'Prairie Star Freight',
      usdot: PROOF_USDOT,
      mc: null,
      installation: 'https://fleet.example',
    },
    ...{ knownMs: 1, unit: 'T1', loadId: null, about: 'Truck 4107', revises: null, isShownByNumber: false },
    madeBy: { address: 'ann@carrier.test', id: 'a' },
    ...changes,
  }) as DocumentInput;

interface HeldProof {
  database: TestDatabase;
  app: SignIn;
  nowMs: number;
  /** Runs a change in a transaction. */
  run: <T>(work: (tx: Executor) => Promise<T>) => Promise<T>;
  issue: (changes?: Partial<DocumentInput>, secret?: string) => Promise<IssuedDocument>;
}

/** A database of a test file, in which documents are issued. */
export const setUpProof = (): HeldProof => {
  const held: HeldProof = {
    ...{ database: null as never, app: null as never, nowMs: Date.UTC(2026, 5, 1) },
    run: async (work) => (await held.app.database.open()).orm.transaction(work),
    issue: (changes = {}, secret = PROOF_SECRET) =>
      held.run((tx) =>
        issueDocument(
          tx,
          {
            clock: { nowMs: () => held.nowMs },
            proof: { secret },
            record: recorderOf({ viewer: ANN, client: toClient(), audit: held.app.audit }, 'proof.issue', tx),
          },
          documentOf(changes),
        ),
      ),
  };
  beforeAll(async () => {
    held.database = await createTestDatabase();
    ({ app: held.app } = createTestSignIn(held.database.databaseUrl));
    await insertViewer(held.database, ANN);
  });
  afterAll(async () => {
    await held.app.close();
    await held.database.drop();
  });
  return held;
};
