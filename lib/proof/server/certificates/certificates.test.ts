import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { HistoryReader } from '@/lib/past/server/history-reader';
import { addSite } from '@/lib/sites/server/sites';
import { unitAt } from '@/testing/live/tracked-units';
import { openPool } from '@/testing/history/recording';
import { START_MS } from '@/testing/motion/fixes';
import { RecordedFeed } from '@/testing/shares/recorded-feed';
import { ANN, setUpShares } from '@/testing/shares/shares';
import { certificateInputSchema, type CertificateInput } from '../../certificate';
import { toBlocks } from '../../document';
import type { PositionCertificate } from '../../kinds/position-certificate';
import { readDocument } from '../documents';
import { issueCertificate, type CertificateContext } from './certificates';

const TRUCK = '1M8GDM9AXKP042788';
const METERS = 1 / 111_195.08;

const held = setUpShares();
let reader: HistoryReader;
let usdot: string;
let feed: RecordedFeed;
let fleets = 9_200_000;
beforeAll(() => {
  reader = new HistoryReader({ open: async () => openPool(held.database.databaseUrl) });
});
afterAll(() => reader.close());
beforeEach(async () => {
  usdot = String(++fleets);
  held.nowMs = START_MS;
  feed = new RecordedFeed(held.pool, usdot);
  await feed.start(held.nowMs);
});

const atMs = (min: number): number => START_MS + Math.round(min * MINUTE_MS);
const poll = async (min: number, northM: number): Promise<void> => {
  held.nowMs = atMs(min);
  const unit = unitAt(TRUCK, min - 0.05, northM);
  const names = { truckNumber: '118', plateState: 'TX', plateNumber: 'R1234' };
  await feed.poll([{ ...unit, identity: { ...unit.identity, ...names } }], held.nowMs);
};

const context = (viewer = ANN): CertificateContext => ({
  ...held.by(viewer),
  history: { reader, limit: { run: (_: string, query: () => Promise<unknown>) => query() } as never },
  proof: {
    secret: 'a secret of a test, long enough to sign with',
    sendMail: null,
    readVinCarrier: () => Promise.resolve(null),
    readIssuer: async () =>
      Promise.resolve({ carrier: 'Peach State', usdot, mc: null, installation: 'https://fleet.example' }),
  },
});
const inputOf = (changes: Partial<CertificateInput>): CertificateInput => ({
  ...{ unit: TRUCK, fromMs: START_MS, toMs: held.nowMs, isShownByNumber: false },
  fields: ['truckNumber', 'vin', 'plate', 'status', 'place', 'sites'],
  ...changes,
});
const issue = async (changes: Partial<CertificateInput>) => {
  const { number } = await issueCertificate(context(), usdot, inputOf(changes));
  const { orm } = await held.app.database.open();
  const { content, about } = (await readDocument(orm, number))!;
  const texts = toBlocks(content).flatMap((block): string[] =>
    block.type === 'facts'
      ? block.facts.flatMap(({ label, value, note = '' }) => `${label}: ${value} ${note}`.trim())
      : block.type === 'table'
        ? block.rows.map((row) => row.join(' | '))
        : block.type === 'text' || block.type === 'heading'
          ? [block.text]
          : [],
  );
  return { subject: content.subject as PositionCertificate, about, texts };
};

it('says where a truck was in a range: each fix with both times, what it did, and its visits', async () => {
  const yard = { name: 'Yard', kind: 'yard' as const, color: '#336699', notes: '', openingHours: null };
  const shape = { type: 'circle' as const, lat: 35 + 9000 * METERS, lng: -101.00437, radiusM: 400 };
  await addSite({ ...held.by(ANN), history: null }, usdot, { ...yard, marginM: 75, shape });
  await feed.readAgain(held.nowMs);
  for (const [min, northM] of [0, 1500, 3000, 4500, 6000, 7500, 9000, 9000, 9000, 9000, 9000, 9000].entries())
    await poll(min, northM);
  const { subject, about, texts } = await issue({});
  expect(subject).toMatchObject({
    truck: { number: '118', vin: TRUCK, plate: 'TX R1234' },
    ...{ made: 11, timeZone: 'America/Chicago', afterMs: null, gaps: [] },
    visits: [{ site: 'Yard', arrivedAfterMs: atMs(4.95), arrivedMs: atMs(5.95), leftMs: null }],
  });
  // With the one before the range.
  expect(subject.fixes).toHaveLength(12);
  expect(subject.fixes[1]).toEqual({
    ...{ madeMs: atMs(0.95), seenMs: atMs(1), latE5: 3_501_349, lngE5: expect.any(Number) as number },
    ...{ isByReceipt: false, isUsed: true },
  });
  expect(subject.states!.map(({ kind }) => kind)).toEqual(['moving', 'stopped']);
  expect(subject.states![1]).toMatchObject({ fixes: 6, reachM: 0 });
  expect(about).toMatch(/^Truck 118, .+ to .+/);
  expect(texts).toContainEqual(
    expect.stringMatching(/^Yard \| after .+, by .+ \| there at the last fix$/) as string,
  );
  expect(texts.join('\n')).toContain('All of them are listed.');
  expect(texts).toContainEqual(
    expect.stringMatching(/stopped \| 6 fixes within 0 ft of the first$/) as string,
  );
  expect(texts).toContainEqual(
    expect.stringMatching(/moving \| 6 fixes, up to 4\.7 mi from the first$/) as string,
  );
});

it('says of a moment what the fixes on either side of it show, and calculates no position', async () => {
  for (const [min, northM] of [0, 1500, 3000, 4500].entries()) await poll(min, northM);
  const { subject, texts } = await issue({ fromMs: atMs(1.5), toMs: atMs(1.5) });
  expect(subject).toMatchObject({ beforeMs: atMs(0.95), afterMs: atMs(1.95), made: 0, gaps: [] });
  expect(subject.states).toMatchObject([{ kind: 'moving' }]);
  expect(subject.fixes.map(({ madeMs }) => madeMs)).toEqual([-0.05, 0.95, 1.95, 2.95].map(atMs));
  expect(texts).toContainEqual(expect.stringContaining('33 s before') as string);
  expect(texts).toContainEqual(expect.stringContaining('27 s after') as string);
});

it('shows each gap with its reason, and finds the fixes on either side of a long one', async () => {
  for (const [min, northM] of [0, 1500, 3000].entries()) await poll(min, northM);
  for (let min = 3; min < 20; min += 1) await feed.poll([], (held.nowMs = atMs(min)));
  await poll(6 * 60, 200_000);
  await poll(6 * 60 + 1, 201_500);
  const moment = await issue({ fromMs: atMs(300), toMs: atMs(300) });
  expect(moment.subject).toMatchObject({ beforeMs: atMs(1.95), afterMs: atMs(359.95) });
  expect(moment.subject.states).toMatchObject([{ kind: 'notRecorded', reason: 'notRunning' }]);
  expect(moment.texts.join('\n')).toContain('no server was recording');
  const range = await issue({ fields: ['vin'] });
  expect(range.subject).toMatchObject({
    ...{ states: null, places: null, visits: null },
    truck: { number: null, vin: TRUCK, plate: null },
  });
  expect(range.subject.gaps.map(({ kind }) => kind)).toEqual(['silent', 'notRecorded']);
  expect(range.texts.join('\n')).not.toContain('118');
});

it('says of the first moments of all times that nothing was recorded', async () => {
  await poll(0, 0);
  const { subject } = await issue({ fromMs: 1, toMs: 1 });
  expect(subject).toMatchObject({ fixes: [], beforeMs: null, made: 0 });
  expect(subject.states!.map(({ kind }) => kind)).toEqual(['notRecorded']);
});

it('is for trucks that a viewer sees, and for times that have come', async () => {
  await poll(0, 0);
  await expect(issue({ unit: 'truck:none' })).rejects.toMatchObject({ code: 'unknown-unit' });
  await expect(issue({ toMs: held.nowMs + SECOND_MS })).rejects.toMatchObject({ code: 'bad-input' });
  const limited = context({ ...ANN, tags: ['flatbeds'] });
  await expect(issueCertificate(limited, usdot, inputOf({}))).rejects.toMatchObject({ code: 'unknown-unit' });
  const parses = (changes: Partial<CertificateInput>) =>
    certificateInputSchema.safeParse(inputOf(changes)).success;
  expect(parses({ toMs: START_MS + 25 * HOUR_MS })).toBe(true);
  expect(parses({ toMs: START_MS + 25 * HOUR_MS + 1 })).toBe(false);
  expect(parses({ toMs: START_MS - 1 })).toBe(false);
  expect(parses({ fields: ['status', 'place'] })).toBe(false);
});
