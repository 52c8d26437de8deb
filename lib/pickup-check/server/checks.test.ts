import { beforeEach, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '@/lib/base/time';
import { loadInputSchema } from '@/lib/loads/schema';
import { addLoad, changeLoad, endLoad, readLoad, removeLoad } from '@/lib/loads/server/loads';
import { readWatchedLoads } from '@/lib/recording/load-writer';
import { unitAt } from '@/testing/live/tracked-units';
import { START_MS } from '@/testing/motion/fixes';
import { RecordedFeed } from '@/testing/shares/recorded-feed';
import { ANN, setUpShares } from '@/testing/shares/shares';
import { endPickupCode, makePickupCode, readPickupCode } from './codes';
import { answerPickup, type PickupContext } from './page';

const [TRUCK, OTHER] = ['1M8GDM9AXKP042788', '1FUJHHDR0NLNA1234'];
const METERS = 1 / 111_195.08;

const held = setUpShares();
let usdot: string;
let feed: RecordedFeed;
let fleets = 9_100_000;
let reloaded: string[];
let addresses = 0;
beforeEach(async () => {
  usdot = String(++fleets);
  held.nowMs = START_MS;
  reloaded = [];
  feed = new RecordedFeed(held.pool, usdot);
  await feed.start(held.nowMs);
});

const poll = async (min: number, units: Record<string, number>): Promise<void> => {
  held.nowMs = START_MS + min * MINUTE_MS;
  const names = { truckNumber: '118', plateState: 'TX', plateNumber: 'R1234' };
  const seen = Object.entries(units).map(([key, northM]) => {
    const unit = unitAt(key, min - 0.05, northM);
    return { ...unit, identity: { ...unit.identity, ...(key === TRUCK && names) } };
  });
  await feed.poll(seen, held.nowMs);
};
const drive = async (fromMin: number, ...norths: number[]): Promise<void> => {
  for (const [i, northM] of norths.entries()) await poll(fromMin + i, { [TRUCK]: northM, [OTHER]: 20_000 });
};

const inputOf = (unit: string | null, kinds: ('pickup' | 'delivery')[] = ['pickup', 'delivery']) =>
  loadInputSchema.parse({
    ...{ reference: '8841 <b>', unit },
    stops: kinds.map((kind, i) => ({
      ...{ kind, siteId: null, appointment: null },
      place: { name: `Dock ${i}`, lat: 35 + i * 50_000 * METERS, lng: -101.00437, radiusM: 400 },
    })),
  });
const by = () => held.by(ANN);
const addCoded = async (unit: string | null = TRUCK) => {
  const { id } = await addLoad(by(), usdot, inputOf(unit));
  await feed.readAgain(held.nowMs);
  return { id, ...(await makePickupCode(by(), usdot, id)) };
};

const context = (address = `2001:db8::${++addresses}`): PickupContext => ({
  ...by(),
  clock: {
    nowMs: () => held.nowMs,
    monotonicMs: () => 0,
    setTimer: (run) => {
      queueMicrotask(run);
      return () => undefined;
    },
  },
  client: { address, headers: new Headers({ host: 'fleet.test' }), isTls: true },
  shares: { readCarrierName: async () => 'Peach State Freight' },
  watch: { reload: (each) => void reloaded.push(each) },
  log: { error: (...given: unknown[]) => reloaded.push(JSON.stringify(given)) },
});
const ask = async (code: string, truck: string | null, lang = 'en', from = context()) => {
  const url = `https://fleet.test/p/${code}?lang=${lang}`;
  const response = await answerPickup(
    from,
    new Request(url, truck === null ? {} : { method: 'POST', body: new URLSearchParams({ truck }) }),
    code,
  );
  const html = await response.text();
  return {
    status: response.status,
    html,
    heading: /<h1>([^<]*)/.exec(html)?.[1],
    big: /class="big">([^<]*)/.exec(html)?.[1],
  };
};

it('says whether the truck at a dock is that of the load, and whether it is near', async () => {
  const { code, id } = await addCoded();
  await drive(0, 9000, 6000, 3400);
  expect(await ask(code, null)).toMatchObject({ status: 200, heading: 'Load 8841 &lt;b&gt; at Dock 0' });
  expect(await ask(code, 'KP042788')).toMatchObject({ status: 200, heading: 'Expected, not near' });
  await drive(3, 800);
  held.nowMs += 2 * MINUTE_MS;
  expect(await ask(code, '118')).toMatchObject({
    heading: 'Expected here',
    big: '0.2\u00a0mi away 2\u00a0min ago',
  });
  expect(await ask(code, 'tx r1234', 'fr')).toMatchObject({
    heading: 'Attendu ici',
    big: 'À 0,4\u00a0km, il y a 2\u00a0min',
  });
  await drive(6, 100);
  expect(await ask(code, '118', 'es')).toMatchObject({
    heading: 'Se espera aquí',
    big: 'En la zona de esta parada, hace 3\u00a0s',
  });
  expect(await ask(code, 'NLNA1234')).toMatchObject({ status: 200, heading: 'Not the truck of this load' });
  held.nowMs += 31 * MINUTE_MS;
  expect(await ask(code, '118')).toMatchObject({
    heading: 'Expected, not near',
    big: expect.stringContaining('last 30 minutes is not known') as string,
  });
  const { events } = await readLoad(by(), usdot, id);
  expect(events.flatMap(({ check }) => (check ? `${check.typed} ${check.result}` : [])).reverse()).toEqual([
    ...['KP042788 away', '118 near', 'TXR1234 near', '118 near', 'NLNA1234 other', '118 silent'],
  ]);
});

it('has the feed know of a wrong truck, and of nothing else', async () => {
  const { code, id } = await addCoded();
  await drive(0, 100);
  await ask(code, '118');
  expect(reloaded).toEqual([]);
  expect((await readWatchedLoads(held.pool, usdot))[0]).toMatchObject({ id, wrongCheckMs: null });
  await ask(code, '119');
  expect(reloaded).toEqual([usdot]);
  expect((await readWatchedLoads(held.pool, usdot))[0]).toMatchObject({ id, wrongCheckMs: held.nowMs + 1 });
});

it('is for the truck that the load has now, and says so where it has none', async () => {
  const { code, id } = await addCoded(null);
  expect(await ask(code, '118')).toMatchObject({ heading: 'This load has no truck yet' });
  held.nowMs += MINUTE_MS;
  await changeLoad(by(), usdot, id, inputOf(OTHER));
  expect(await ask(code, '118')).toMatchObject({ heading: 'Not the truck of this load' });
  // Its names are not recorded, so those of its key are all there are.
  expect(await ask(code, OTHER)).toMatchObject({ heading: 'Expected, not near' });
});

it('is nothing without its code, after another took its place, and once the pickup is left', async () => {
  const first = await addCoded();
  const nothing = await ask('7K3M-92QX-4HTD', '118');
  expect(nothing).toMatchObject({ status: 404, heading: 'Nothing is shown here' });
  for (const wrong of ['', 'x', '../', first.code.slice(1), `${first.code}0`, '%00'])
    expect(await ask(wrong, '118'), wrong).toEqual(nothing);
  // As people write it.
  expect((await ask(first.code.toLowerCase().replaceAll('-', ' '), null)).status).toBe(200);
  const { code } = await makePickupCode(by(), usdot, first.id);
  expect((await ask(first.code, null)).status).toBe(404);
  expect(await readPickupCode(by(), usdot, first.id)).toMatchObject({
    code: { code, madeBy: ANN.email },
    isOpen: true,
  });
  expect(
    (await readPickupCode(held.by(ANN, 'another secret of a test, long enough'), usdot, first.id)).code,
  ).toBeNull();
  await drive(0, 100, 100, 100, 100, 100);
  expect((await ask(code, null)).status).toBe(200);
  await drive(5, 2000, 4000, 6000, 8000);
  expect(await ask(code, '118')).toEqual(nothing);
  expect((await readPickupCode(by(), usdot, first.id)).isOpen).toBe(false);
  await expect(makePickupCode(by(), usdot, first.id)).rejects.toMatchObject({ code: 'pickup-over' });
});

it('ends by hand, with its load, and where the load is removed', async () => {
  const a = await addCoded();
  await endPickupCode(by(), usdot, a.id);
  expect((await ask(a.code, null)).status).toBe(404);
  const again = await makePickupCode(by(), usdot, a.id);
  await endLoad(by(), usdot, a.id);
  expect((await ask(again.code, null)).status).toBe(404);
  await removeLoad(by(), usdot, a.id);
  expect(await held.database.query('select 1 from linehaul.pickup_codes where load_id = $1', [a.id])).toEqual(
    [],
  );
});

it('asks again for a truck that cannot be read, and keeps nothing of it', async () => {
  const { code, id } = await addCoded();
  expect(await ask(code, ' - ')).toMatchObject({ status: 422 });
  expect((await ask(code, ' - ')).html).toContain('aria-invalid="true"');
  expect((await readLoad(by(), usdot, id)).events.filter(({ kind }) => kind === 'checked')).toEqual([]);
  const hostile = await ask(code, '<img src=x>');
  expect(hostile.html).not.toContain('<img');
});

it('is checked so often at most, whatever address it is from, and an address asks so often at most', async () => {
  const { code } = await addCoded();
  await drive(0, 100);
  // At the same moment, as of several servers.
  const first = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(code, `${i}`)));
  expect(first.filter(({ status }) => status === 200)).toHaveLength(10);
  const busy = await ask(code, '118');
  expect(busy).toMatchObject({ status: 429, heading: 'Too many requests' });
  held.nowMs += 10 * MINUTE_MS;
  expect((await ask(code, '118')).status).toBe(200);
  held.nowMs += DAY_MS;
  const from = context('203.0.113.99');
  for (let i = 0; i < 60; i += 1) expect((await ask(`${i}`, null, 'en', from)).status).toBe(404);
  expect((await ask(code, null, 'en', from)).status).toBe(429);
});

it('asks for a truck in one field that works without scripts, and prints its own address', async () => {
  const { code } = await addCoded();
  const { html } = await ask(code, null);
  expect(html).toContain('<form method="post">');
  expect(html).not.toContain('<script');
  expect(html).toContain(`https://fleet.test/p/${code}`);
});
