import { signIn, toClient } from '@/testing/auth/sign-in';
import { LoadKeyCheck, createLoadKey, revokeLoadKey } from '@/lib/api-keys/server/load-keys';
import { loadInputSchema } from '@/lib/loads/schema';
import { addLoad, listLoads, removeLoad } from '@/lib/loads/server/loads';
import { shareInputSchema } from '@/lib/shares/schema';
import { addCalendar } from '@/lib/shares/server/calendars';
import { addShare } from '@/lib/shares/server/shares';
import { removeSite } from '@/lib/sites/server/sites';
import { toVehicle } from '@/testing/service/vehicles';
import {
  isCalendarOpen,
  isKeyLive,
  isShareOpen,
  nextAddress,
  stays,
  succeeds,
  type LifetimeServer,
} from './lifetimes';

let carriers = 9_200_000;

/** A separate carrier with a vehicle that has reported, and what depends on the two. */
export const createThingFixture = async (server: LifetimeServer) => {
  const { app, runtime, store, ann } = server;
  const usdot = String(++carriers);
  const taker = String(++carriers);
  for (const each of [usdot, taker])
    await store.carriers.upsert({ usdot: each, companyName: `Carrier ${each}`, companyId: each });
  const vehicle = toVehicle(carriers % 1_000_000, { usdot, deviceId: 'phone' });
  await store.vehicles.upsertMany([vehicle]);
  const { id: vehicleId } = (await store.vehicles.readByVin(vehicle.vin))!;
  const key = await store.keys.create({ usdot, name: 'key' });
  const token = await store.ingestTokens.create({ usdot, name: 'token' });
  const screen = await app.screens.create(
    { name: 'screen', usdots: [usdot] },
    { viewer: ann, client: toClient() },
  );
  const by = { ...runtime, viewer: ann, client: toClient('', { address: nextAddress() }) };
  const loadKey = await createLoadKey(by, { usdot, name: 'TMS', expiresAtMs: null });
  const siteId = await server.makeSite(usdot);
  const load = loadInputSchema.parse({
    ...{ reference: '8841', unit: vehicle.vin },
    stops: [
      { kind: 'pickup', siteId: null, place: { name: 'Dock', lat: 35, lng: -101 }, appointment: null },
      { kind: 'delivery', siteId, place: null, appointment: null },
    ],
  });
  const { id: loadId } = await addLoad(by, usdot, load);
  const share = await addShare(
    by,
    usdot,
    shareInputSchema.parse({
      ...{
        recipient: 'Kroger',
        precision: 'exact',
        fields: [],
        delayMin: 0,
        endsMs: null,
        endsOn: 'delivery',
      },
      items: [{ loadId, unit: null }],
      ...{ endsAtStop: null, endsAtSite: null, showsEnd: false, frameOrigins: [] },
    }),
  );
  const calendar = await addCalendar(by, usdot, {
    ...{ siteId, recipient: 'Dock', language: 'en', showsTruck: false, endsMs: null },
  });
  const dispatcher = await server.makeUser('dispatcher', [usdot]);
  const cookie = await signIn(app, dispatcher.email!);
  let reports = 0;

  /** Over HTTP, as a phone does. */
  const report = async (): Promise<boolean> => {
    const timestamp = Math.floor(Date.now() / 1000) - 1000 + ++reports;
    const query = `token=${token.token}&id=phone&lat=35&lon=-101&timestamp=${timestamp}`;
    const url = `http://fleet.test/tracking/ingest/osmand?${query}`;
    return (await runtime.serveTracking(new Request(url, { method: 'POST' }))).ok;
  };
  await report();

  const read = async (): Promise<Record<string, string>> => {
    const fixes = await server.query('select 1 from tracking.fixes where vehicle_id = $1', [vehicleId]);
    const isReported = await report();
    return {
      "the device's reports": stays(isReported),
      'last position in the API': stays((await store.positions.read(vehicleId)) !== null),
      'recorded fixes': stays(fixes.length > 0),
      'API key of the carrier': stays(await isKeyLive(store, key)),
      'ingest token of the carrier': stays((await store.ingestTokens.verify(token.token)) !== null),
      'key for loads of the carrier': stays(
        await succeeds(
          new LoadKeyCheck(runtime, null).require({
            headers: new Headers({ authorization: `Bearer ${loadKey.key}` }),
          }),
        ),
      ),
      'load of the vehicle': stays((await listLoads(by, usdot)).loads.some(({ id }) => id === loadId)),
      'share link of the load': stays(await isShareOpen(runtime, share)),
      'calendar of its site': stays(await isCalendarOpen(runtime, calendar)),
      'wall screen of the fleet': stays(
        (await app.auth.authenticate(toClient(`linehaul.screen=${screen.token}`))) !== null,
      ),
      'session of the dispatcher': stays((await app.auth.authenticate(toClient(cookie))) !== null),
    };
  };
  return { server, by, usdot, taker, vehicle, key, token, loadKey, loadId, siteId, screen, read };
};

type Fixture = Awaited<ReturnType<typeof createThingFixture>>;

/** Each event of the page's second table, by its text there. */
export const THING_EVENTS: Readonly<Record<string, (fixture: Fixture) => Promise<unknown>>> = {
  'the device is taken off the vehicle': ({ server: { store }, usdot, vehicle }) =>
    store.vehicles.change(usdot, vehicle.vin, { truckNumber: null, deviceId: null }),
  'the vehicle moves to another carrier': ({ server: { store }, taker, vehicle }) =>
    store.vehicles.upsertMany([{ ...vehicle, usdot: taker }]),
  'the vehicle is removed': ({ server: { store }, vehicle }) => store.vehicles.remove(vehicle.vin),
  'the carrier is removed': ({ server: { store }, usdot }) => store.carriers.remove(usdot),
  'the ingest token is revoked': ({ server: { store }, token }) => store.ingestTokens.revoke(token.id),
  'the API key is revoked': ({ server: { store }, key }) => store.keys.revoke(key.id),
  'the API key expires': ({ server, key }) =>
    server.query('update tracking.api_keys set expires_at_ms = $1 where id = $2', [Date.now() - 1, key.id]),
  'the API key is rotated without an overlap': ({ server: { store }, key }) => store.keys.rotate(key.id, 0),
  'the key for loads is revoked': ({ by, loadKey }) => revokeLoadKey(by, loadKey.id),
  'the key for loads expires': ({ server, loadKey }) =>
    server.query('update linehaul.load_keys set expires_at = $1 where id = $2', [
      new Date(Date.now() - 1),
      loadKey.id,
    ]),
  'the load is removed': ({ by, usdot, loadId }) => removeLoad(by, usdot, loadId),
  'the site of its last stop is removed': ({ by, usdot, siteId }) => removeSite(by, usdot, siteId),
  'the wall screen is revoked': ({ server: { app, ann }, screen }) =>
    app.screens.revoke(screen.screen.id, {
      viewer: ann,
      client: toClient('', { address: nextAddress() }),
    }),
};
