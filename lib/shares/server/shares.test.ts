import { beforeAll, expect, it } from 'vitest';
import { HOUR_MS } from '@/lib/base/time';
import type { Viewer } from '@/lib/base/viewer';
import { loadInputSchema } from '@/lib/loads/schema';
import { addLoad, endLoad, removeLoad } from '@/lib/loads/server/loads';
import { addSite, removeSite } from '@/lib/sites/server/sites';
import { insertViewer } from '@/testing/auth/sign-in';
import { ANN, about, setUpShares, shareOf, tokenOf } from '@/testing/shares/shares';
import type { ShareInput } from '../schema';
import type { ShareReader } from './read-share';
import { addShare, changeShare, listShares, readShareLink, readShareOpenings, revokeShare } from './shares';
import { hashToken } from './token';

const USDOT = '9000001';
const [TRUCK, OTHER] = ['1M8GDM9AXKP042788', '1FUJHHDR0NLNA1234'];
const BEN: Viewer = { ...ANN, id: 'b', name: 'Ben', email: 'ben@carrier.test', role: 'dispatcher' };
/** Sees the flatbeds alone. */
const CAL: Viewer = { ...BEN, id: 'c', name: 'Cal', email: 'cal@carrier.test', tags: ['flatbed'] };

const held = setUpShares();
const { by, createReader } = held;
beforeAll(async () => {
  const { database } = held;
  for (const viewer of [BEN, CAL]) await insertViewer(database, viewer);
  await held.database.query(`update linehaul.users set tags = '{flatbed}' where id = 'c'`);
  await held.database.query(`insert into linehaul.unit_tags (usdot, tag, unit) values ($1, 'flatbed', $2)`, [
    ...[USDOT, TRUCK],
  ]);
});

const inputOf = (changes: Partial<ShareInput> = {}): ShareInput =>
  shareOf(held, { ...about({ unit: TRUCK }), ...changes });
const kindOf = async (reader: ShareReader, link: { link: string }, address = '203.0.113.7') =>
  (await reader.read(tokenOf(link), { address, isOpening: true })).kind;

let loads = 0;
const makeLoad = (unit: string | null = TRUCK) =>
  addLoad(
    by(ANN),
    USDOT,
    loadInputSchema.parse({
      ...{ reference: `L${++loads}`, unit },
      stops: [35, 36].map((lat) => ({
        ...{ kind: 'other', siteId: null, appointment: null, place: { name: `Dock ${lat}`, lat, lng: -101 } },
      })),
    }),
  );
const addYard = (name: string) => {
  const shape = { type: 'circle' as const, lat: 35, lng: -101, radiusM: 200 };
  const yard = { name, kind: 'yard' as const, color: '#336699', notes: '', openingHours: null, marginM: 75 };
  return addSite({ ...by(ANN), history: null }, USDOT, { ...yard, shape });
};
const readAudit = async (id: string) =>
  (
    await held.database.query(
      `select actor, action, subject from linehaul.audit_log where details->>'id' = $1 order by id`,
      [id],
    )
  ).map(Object.values);

it('a link is made, listed, changed, copied again and revoked, each with an audit record without its token', async () => {
  const made = await addShare(by(ANN), USDOT, inputOf());
  expect(tokenOf(made)).toMatch(/^[\w-]{27}$/);
  const { id } = made;
  expect((await listShares(by(BEN), USDOT)).shares).toMatchObject([
    {
      id,
      recipient: 'Kroger',
      names: [TRUCK],
      state: 'open',
      madeBy: ANN.email,
      opened: 0,
      lastOpenedMs: null,
    },
  ]);
  await changeShare(by(BEN), USDOT, id, inputOf({ recipient: 'Publix', precision: 'area' }));
  // It depends on the rights of the user who changed it last.
  expect((await listShares(by(ANN), USDOT)).shares).toMatchObject([
    { recipient: 'Publix', precision: 'area', madeBy: BEN.email },
  ]);
  expect(await readShareLink(by(BEN), USDOT, id)).toEqual({ link: made.link });
  await revokeShare(by(ANN), USDOT, id);
  expect((await listShares(by(ANN), USDOT)).shares).toMatchObject([{ state: 'revoked', endedBy: 'revoked' }]);
  await expect(changeShare(by(ANN), USDOT, id, inputOf())).rejects.toMatchObject({ code: 'share-over' });
  expect(await readAudit(id)).toEqual([
    [ANN.email, 'share.add', 'Kroger'],
    [BEN.email, 'share.change', 'Publix'],
    [ANN.email, 'share.revoke', 'Publix'],
  ]);
  const stored = JSON.stringify([
    await held.database.query('select * from linehaul.shares'),
    await held.database.query('select * from linehaul.audit_log'),
  ]);
  expect(stored).not.toContain(tokenOf(made));
  expect(stored).toContain(hashToken(tokenOf(made)));
});

it('a truck without a number is listed by what dispatchers call it', async () => {
  const identity = { truckNumber: null, plateNumber: 'TX 7KD', vin: TRUCK, deviceId: null, key: TRUCK };
  await held.database.query(
    `insert into linehaul.unit_identities (usdot, unit, seen_ms, identity) values ($1, $2, 1, $3)`,
    ['9000077', TRUCK, JSON.stringify(identity)],
  );
  await addShare(by(ANN), '9000077', inputOf());
  expect((await listShares(by(ANN), '9000077')).shares).toMatchObject([{ names: ['TX 7KD'] }]);
});

it('a link that was made with another secret opens, and cannot be copied', async () => {
  const made = await addShare(by(ANN, 'another secret of a test, long enough'), USDOT, inputOf());
  await expect(readShareLink(by(ANN), USDOT, made.id)).rejects.toMatchObject({ code: 'share-not-copied' });
  const reader = createReader();
  expect(await kindOf(reader, made)).toBe('open');
});

it('who sees some trucks shares, lists and changes links of these alone', async () => {
  const own = await addShare(by(CAL), USDOT, inputOf({ recipient: 'Own' }));
  await expect(addShare(by(CAL), USDOT, inputOf(about({ unit: OTHER })))).rejects.toMatchObject({
    code: 'unknown-unit',
  });
  const load = await makeLoad(OTHER);
  const seen = await makeLoad(TRUCK);
  await expect(addShare(by(CAL), USDOT, inputOf(about({ loadId: load.id })))).rejects.toMatchObject({
    code: 'unknown-load',
  });
  await addShare(by(CAL), USDOT, inputOf({ ...about({ loadId: seen.id }), recipient: 'Seen' }));
  const other = await addShare(
    by(ANN),
    USDOT,
    inputOf({ ...about({ unit: TRUCK }, { unit: OTHER }), recipient: 'Both' }),
  );
  const listed = (await listShares(by(CAL), USDOT)).shares.map(({ recipient }) => recipient);
  expect(listed).toContain('Own');
  expect(listed).toContain('Seen');
  expect(listed).not.toContain('Both');
  for (const refused of [
    () => changeShare(by(CAL), USDOT, other.id, inputOf()),
    () => revokeShare(by(CAL), USDOT, other.id),
    () => readShareLink(by(CAL), USDOT, other.id),
    () => readShareOpenings(by(CAL), USDOT, other.id),
    () => revokeShare(by(ANN), '9000002', own.id),
  ])
    await expect(refused()).rejects.toMatchObject({ code: 'unknown-share' });
});

it('an end that does not fit, or has come, is refused', async () => {
  const load = await makeLoad();
  const { id: siteId } = await addYard('Refusals');
  const ofLoad = about({ loadId: load.id });
  const refused: [Partial<ShareInput>, string][] = [
    [{ endsMs: held.nowMs }, 'bad-input'],
    [{ endsMs: held.nowMs + 400 * 24 * HOUR_MS }, 'bad-input'],
    [{ endsMs: null, endsOn: 'delivery' }, 'bad-input'],
    [{ endsMs: null, endsOn: 'arrival' }, 'bad-input'],
    [{ endsMs: null, endsOn: 'arrival', endsAtSite: 999_999 }, 'unknown-site'],
    [{ ...ofLoad, endsMs: null, endsOn: 'arrival', endsAtSite: siteId }, 'bad-input'],
    [about({ unit: TRUCK }, { unit: TRUCK }), 'bad-input'],
    [about({ loadId: 999_999 }), 'unknown-load'],
  ];
  for (const [changes, code] of refused)
    await expect(addShare(by(ANN), USDOT, inputOf(changes)), JSON.stringify(changes)).rejects.toMatchObject({
      code,
    });
  await endLoad(by(ANN), USDOT, load.id);
  await expect(addShare(by(ANN), USDOT, inputOf(ofLoad))).rejects.toMatchObject({ code: 'share-would-end' });
});

it('a load that is ended or removed by hand, and a removed site, end what links show of them', async () => {
  const [closed, removed] = [await makeLoad(), await makeLoad()];
  const { id: siteId } = await addYard('Gone');
  const shares = {
    closed: await addShare(by(ANN), USDOT, inputOf(about({ loadId: closed.id }))),
    removed: await addShare(by(ANN), USDOT, inputOf(about({ loadId: removed.id }))),
    site: await addShare(by(ANN), USDOT, inputOf({ endsMs: null, endsOn: 'departure', endsAtSite: siteId })),
    several: await addShare(by(ANN), USDOT, inputOf(about({ loadId: closed.id }, { unit: TRUCK }))),
  };
  held.nowMs += 1000;
  await endLoad(by(ANN), USDOT, closed.id);
  await removeLoad(by(ANN), USDOT, removed.id);
  await removeSite({ ...by(ANN), history: null }, USDOT, siteId);
  const listed = (await listShares(by(ANN), USDOT)).shares;
  const find = ({ id }: { id: string }) => listed.find((share) => share.id === id);
  expect(find(shares.closed)).toMatchObject({ state: 'ended', endedBy: 'closed', endedMs: held.nowMs });
  expect(find(shares.removed)).toMatchObject({ state: 'ended', endedBy: 'removed', endedMs: held.nowMs });
  expect(find(shares.site)).toMatchObject({ state: 'ended', endedBy: 'removed', endedMs: held.nowMs });
  expect(find(shares.several)).toMatchObject({ state: 'open' });
  const reader = createReader();
  const answer = await reader.read(tokenOf(shares.several), { address: '', isOpening: false });
  expect(answer).toMatchObject({
    view: {
      items: [
        { kind: 'load', endedMs: held.nowMs, stops: [], position: null },
        { kind: 'truck', endedMs: null },
      ],
    },
  });
});

it('of a fleet so many links are open', async () => {
  await held.database.query(
    `with made as (
       insert into linehaul.shares select 'many-' || n, '9000003', 'n', 'hash-' || n, 'K', 'exact', '{}', 0, $1, null, null,
         null, true, '{}', 'ann', null, 0, null from generate_series(1, 4999) n returning id)
     insert into linehaul.share_items (share_id, position, unit, alias) select id, 0, 'A', '' from made`,
    [held.nowMs + HOUR_MS],
  );
  await addShare(by(ANN), '9000003', inputOf());
  await expect(addShare(by(ANN), '9000003', inputOf())).rejects.toMatchObject({ code: 'too-many-shares' });
  expect((await listShares(by(ANN), '9000003')).shares).toHaveLength(5000);
});

it('a link that is revoked on one server is gone on another within a second, and its ledger has what both showed', async () => {
  const link = await addShare(by(ANN), USDOT, inputOf());
  const [one, two] = [createReader(), createReader()];
  for (let i = 0; i < 30; i++) {
    held.elapsedMs += 100;
    expect(await kindOf(i % 2 ? one : two, link, `203.0.${i % 10}.7`)).toBe('open');
  }
  await Promise.all([one.flush(), two.flush()]);
  await Promise.all([one.flush(), two.flush()]);
  const { openings } = await readShareOpenings(by(ANN), USDOT, link.id);
  // Networks that set the same bit are one place.
  const places: unknown = expect.toSatisfy((number: number) => number >= 8 && number <= 10);
  expect(openings).toEqual([{ hourMs: Math.floor(held.nowMs / HOUR_MS) * HOUR_MS, count: 30, places }]);
  expect((await listShares(by(ANN), USDOT)).shares.find(({ id }) => id === link.id)).toMatchObject({
    opened: 30,
    lastOpenedMs: held.nowMs,
  });
  await revokeShare(by(ANN), USDOT, link.id);
  held.elapsedMs += 1000;
  expect(await kindOf(one, link)).toBe('nothing');
  expect(await kindOf(two, link)).toBe('nothing');
  // No address is stored, nor a hash of one that could be looked up.
  expect(JSON.stringify(await held.database.query('select * from linehaul.share_openings'))).not.toContain(
    '203.0',
  );
});

it('a link shows nothing while its maker has lost the right to it, and of trucks that the maker does not see any more', async () => {
  const share = await addShare(by(CAL), USDOT, inputOf());
  const reader = createReader();
  const read = async () => {
    held.elapsedMs += 10_000;
    return kindOf(reader, share);
  };
  expect(await read()).toBe('open');
  await held.database.query(`update linehaul.users set disabled_at = now() where id = 'c'`);
  expect(await read()).toBe('nothing');
  await held.database.query(
    `update linehaul.users set disabled_at = null, usdots = '{9000002}' where id = 'c'`,
  );
  expect(await read()).toBe('nothing');
  await held.database.query(`update linehaul.users set usdots = null where id = 'c'`);
  expect(await read()).toBe('open');
  // It depends on the one who changed it last.
  await changeShare(by(ANN), USDOT, share.id, inputOf({ recipient: 'Globex' }));
  await held.database.query(`update linehaul.users set disabled_at = now() where id = 'c'`);
  expect(await read()).toBe('open');
  await held.database.query(`update linehaul.users set disabled_at = now() where id = 'a'`);
  expect(await read()).toBe('nothing');
  await held.database.query(`update linehaul.users set disabled_at = null`);
});
