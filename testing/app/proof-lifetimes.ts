import { recorderOf } from '@/lib/audit/audit';
import { loadInputSchema } from '@/lib/loads/schema';
import { addLoad, endLoad, removeLoad } from '@/lib/loads/server/loads';
import { findPickup } from '@/lib/pickup-check/server/checks';
import { endPickupCode, makePickupCode } from '@/lib/pickup-check/server/codes';
import { listStatements } from '@/lib/proof/server/detention/statements';
import { changeTerms, readTerms } from '@/lib/proof/server/detention/terms';
import { changeDocument, issueDocument, readDocument } from '@/lib/proof/server/documents';
import { listPublicKeys } from '@/lib/proof/server/keys';
import { revokeSigningKey, rotateSigningKey } from '@/lib/proof/server/manage-keys';
import { findSeen } from '@/lib/proof/server/page/answer';
import { verify } from '@/lib/proof/server/verify';
import { removeSite } from '@/lib/sites/server/sites';
import { toClient } from '@/testing/auth/sign-in';
import { documentOf } from '@/testing/proof/proof';
import { STAY_MS, STAY_TERMS } from '@/testing/proof/stays';
import { toVehicle } from '@/testing/service/vehicles';
import { nextAddress, stays, type LifetimeServer } from './lifetimes';

let carriers = 9_300_000;

/** A load of a separate carrier at one of its sites, and what was made about the two by a manager. */
export const createProofFixture = async (server: LifetimeServer) => {
  const { app, runtime, store, ann } = server;
  const usdot = String(++carriers);
  await store.carriers.upsert({ usdot, companyName: `Carrier ${usdot}`, companyId: usdot });
  const vehicle = toVehicle(carriers % 1_000_000, { usdot, deviceId: `device-${usdot}` });
  await store.vehicles.upsertMany([vehicle]);
  const maker = await server.makeUser('manager', [usdot], null);
  const client = toClient('', { address: nextAddress() });
  const [by, byMaker] = [ann, maker].map((viewer) => ({ ...runtime, viewer, client })) as [
    LifetimeServer['runtime'] & { viewer: typeof ann; client: typeof client },
    LifetimeServer['runtime'] & { viewer: typeof ann; client: typeof client },
  ];
  const siteId = await server.makeSite(usdot);
  const load = loadInputSchema.parse({
    ...{ reference: '8841', unit: vehicle.vin },
    stops: [{ kind: 'pickup', siteId, place: null, appointment: null }],
  });
  const { id: loadId } = await addLoad(byMaker, usdot, load);
  const { code } = await makePickupCode(byMaker, usdot, loadId);
  const none = { customer: null, siteId: null, loadId: null, terms: STAY_TERMS };
  await changeTerms(byMaker, usdot, { ...none, of: 'load', loadId });
  await changeTerms(byMaker, usdot, { ...none, of: 'site', siteId });
  await server.query(
    `insert into linehaul.load_mails (load_id, addresses, about, language) values ($1, $2, '{pickup}', 'en')`,
    [loadId, JSON.stringify([{ address: 'kim@peachtree.test', sinceMs: 0, endedMs: null }])],
  );
  const { orm } = await app.database.open();
  const { issuer } = documentOf();
  const { number } = await orm.transaction((tx) =>
    issueDocument(
      tx,
      { clock: app.clock, proof: app.proof, record: recorderOf(byMaker, 'proof.issue', tx) },
      documentOf({
        ...{ issuer: { ...issuer, usdot }, unit: vehicle.vin, loadId, isShownByNumber: true },
        madeBy: { address: maker.email!, id: maker.id },
      }),
    ),
  );
  await server.query(
    `insert into linehaul.detention_statements (usdot, number, revision, unit, site_id, site_name, load_id, position,
       reference, customer, time_zone, arrived_ms, left_ms, basis, billable_min, amount_cents, issued_ms, first_ms)
     values ($1, $2, 1, $3, $4, 'Dock', $5, 0, '8841', '', 'America/Chicago', $6, $6, '', 60, 7500, $6, $6)`,
    [usdot, number, vehicle.vin, siteId, loadId, STAY_MS],
  );

  const read = async (): Promise<Record<string, string>> => {
    const document = (await readDocument(orm, number))!;
    const verdict = await verify(document, await listPublicKeys(orm));
    const terms = (await readTerms(orm, usdot)).map((each) => each.of);
    const mails = await server.query('select from linehaul.load_mails where load_id = $1', [loadId]);
    return {
      'document by its number': stays(
        (await findSeen({ ...runtime, client: toClient() }, number, null)) !== null,
      ),
      'its signature': stays(verdict.isProved),
      'its line in the lists': stays((await listStatements(by, usdot, '2026-11')).length === 1),
      'pickup code': stays((await findPickup(by, code)) !== null),
      'mails about the load': stays(mails.length > 0),
      'terms of the load': stays(terms.includes('load')),
      'terms of the site': stays(terms.includes('site')),
    };
  };
  const { kid } = (await readDocument(orm, number))!;
  return { server, by, usdot, maker, vehicle, loadId, siteId, number, kid, read };
};

type Fixture = Awaited<ReturnType<typeof createProofFixture>>;

/** Each event of the page's third table, by its text there. */
export const PROOF_EVENTS: Readonly<Record<string, (fixture: Fixture) => Promise<unknown>>> = {
  'their maker is disabled': ({ server: { app, ann }, maker }) =>
    app.users.change(maker.id!, { isDisabled: true }, { viewer: ann, client: { address: nextAddress() } }),
  'the vehicle is removed': ({ server: { store }, vehicle }) => store.vehicles.remove(vehicle.vin),
  'the carrier is removed': ({ server: { store }, usdot }) => store.carriers.remove(usdot),
  'the load is ended': ({ by, usdot, loadId }) => endLoad(by, usdot, loadId),
  'the load is removed': ({ by, usdot, loadId }) => removeLoad(by, usdot, loadId),
  'the site is removed': ({ by, usdot, siteId }) => removeSite(by, usdot, siteId),
  'the document is hidden': ({ by, usdot, number }) =>
    changeDocument(by, usdot, number, { isShownByNumber: false }),
  'a new key signs': ({ by }) => rotateSigningKey(by),
  'its key is revoked': ({ by, kid }) => revokeSigningKey(by, kid),
  'the code is replaced': ({ by, usdot, loadId }) => makePickupCode(by, usdot, loadId),
  'the code is ended': ({ by, usdot, loadId }) => endPickupCode(by, usdot, loadId),
};
