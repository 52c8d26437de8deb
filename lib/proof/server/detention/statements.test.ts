import { beforeAll, expect, it } from 'vitest';
import { MINUTE_MS } from '@/lib/base/time';
import { loadInputSchema } from '@/lib/loads/schema';
import { addLoad, readLoad, removeLoad } from '@/lib/loads/server/loads';
import { toBlocks } from '@/lib/proof/document';
import { toStatementsCsv, type BillableList, type StayRef } from '@/lib/proof/detention';
import type { DetentionStatement } from '@/lib/proof/kinds/detention-statement';
import { readDocument } from '@/lib/proof/server/documents';
import { ANN, PROOF_USDOT } from '@/testing/proof/proof';
import { STAY_MS, STAY_TERMS, STAY_UNIT, USUAL_FIXES, setUpStays } from '@/testing/proof/stays';
import { changeDismissal, listBillable } from './billable';
import { createCorrections } from './corrections';
import { issueStatement, listStatements, previewStatement } from './statements';
import { changeTerms, listTerms } from './terms';

const held = setUpStays();
const minOf = (ms: number | null): number | null => ms && (ms - STAY_MS) / MINUTE_MS;
const subjectOf = async (number: string, revision: number | null = null): Promise<DetentionStatement> => {
  const { orm } = await held.proof.app.database.open();
  return (await readDocument(orm, number, revision))!.content.subject as DetentionStatement;
};
const ref = () => ({ unit: STAY_UNIT, siteId: held.siteId, arrivedMs: STAY_MS + 40 * MINUTE_MS });

const correct = async (): Promise<void> => {
  const { orm, pool } = await held.proof.app.database.open();
  const [job] = createCorrections({
    ...{ database: () => ({ orm, pool }) as never, reader: () => held.reader },
    ...{ proof: held.context, clock: held.context().clock, log: { warn: () => undefined } },
  }).kinds;
  await job!.run({} as never, new AbortController().signal);
};
const addLoadAt = async (
  unit: string,
  reference: string,
  { customer, appointment }: { customer: string; appointment: { fromMs: number; toMs: number } },
): Promise<number> => {
  const { id } = await addLoad(
    held.context(),
    PROOF_USDOT,
    loadInputSchema.parse({
      ...{ reference, customer, unit },
      stops: [{ kind: 'pickup', siteId: held.siteId, place: null, appointment, freeMin: 90 }],
    }),
  );
  await held.proof.database.query('update linehaul.load_trucks set from_ms = $1 where load_id = $2', [
    STAY_MS - 60 * MINUTE_MS,
    id,
  ]);
  await held.proof.database.query('update linehaul.loads set created_at = to_timestamp($1) where id = $2', [
    STAY_MS / 1000,
    id,
  ]);
  return id;
};

beforeAll(async () => {
  await held.drive(USUAL_FIXES);
  await held.visit([25, 30, 270, 275]);
});

it('without terms a stay of two hours is listed with what is missing, and nothing is issued', async () => {
  expect(await previewStatement(held.context(), PROOF_USDOT, ref())).toMatchObject({
    ...{ parts: [], amountCents: null, number: null, siteName: 'Acme Rolla', loadId: null },
  });
  await expect(held.issue(0)).rejects.toMatchObject({ code: 'no-terms' });
});

it('a visit is not billed once a user says so, stays so where late fixes move its ends, and is put back', async () => {
  const listOf = async (list?: BillableList) => (await listBillable(held.context(), PROOF_USDOT, list)).stays;
  await held.agree();
  const [stay] = await listOf();
  await changeDismissal(held.context(), PROOF_USDOT, { stay: ref(), isDismissed: true });
  await changeDismissal(held.context(), PROOF_USDOT, { stay: ref(), isDismissed: true });
  await held.proof.database.query('update linehaul.site_visits set arrived_ms = arrived_ms - 60000');
  expect(await listBillable(held.context(), PROOF_USDOT)).toMatchObject({
    ...{ stays: [], counts: { open: 0, dismissed: 1, ownPlaces: 0 } },
  });
  expect(await listOf('dismissed')).toMatchObject([
    { siteName: 'Acme Rolla', dismissed: { by: ANN.email, atMs: held.context().clock.nowMs() } },
  ]);
  await changeDismissal(held.context(), PROOF_USDOT, { stay: ref(), isDismissed: false });
  await held.proof.database.query('update linehaul.site_visits set arrived_ms = arrived_ms + 60000');
  expect(await listOf()).toEqual([stay]);
  expect(await listOf('dismissed')).toEqual([]);
  const actions = await held.proof.database.query(
    `select action, count(*)::int as count from linehaul.audit_log where action like 'detention-visit.%' group by 1 order by 1`,
  );
  expect(actions).toEqual([
    { action: 'detention-visit.dismiss', count: 1 },
    { action: 'detention-visit.restore', count: 1 },
  ]);
});

it('a visit to a yard or a fuel stop is in a list of its own', async () => {
  const { query } = held.proof.database;
  for (const kind of ['yard', 'fuel', 'noGo']) {
    await query(`update linehaul.sites set kind = '${kind}'`);
    expect(await listBillable(held.context(), PROOF_USDOT, 'ownPlaces')).toMatchObject({
      ...{ stays: [{ siteName: 'Acme Rolla' }], counts: { open: 0, dismissed: 0, ownPlaces: 1 } },
    });
  }
  await query(`update linehaul.sites set kind = 'customer'`);
});

let number = '';
it('a statement bills by the end that favors the other side, and says what it is by', async () => {
  await held.agree();
  expect((await listBillable(held.context(), PROOF_USDOT)).stays).toMatchObject([
    { unit: STAY_UNIT, siteName: 'Acme Rolla', billableMin: 105, amountCents: 13_125, missing: ['customer'] },
  ]);
  await expect(held.issue(1)).rejects.toMatchObject({ code: 'statement-changed' });
  const issued = await held.issue(13_125);
  ({ number } = issued);
  expect(issued.revision).toBe(1);
  const { arrival, departure, sure, billing, between, fixes, quality, gaps, truck } = await subjectOf(number);
  // Before the fix was seen, five seconds after it was made.
  const seenMs = 5000;
  expect(
    [arrival.afterMs, arrival.byMs! - seenMs, departure.afterMs, departure.byMs! - seenMs].map(minOf),
  ).toEqual([25, 30, 270, 275]);
  // Seen five seconds after it was made, and a minute less for the clock.
  expect([sure.fromMs - STAY_MS, sure.toMs - STAY_MS]).toEqual([30 * MINUTE_MS + 5000, 269 * MINUTE_MS]);
  expect(billing).toMatchObject({ overMin: 118, billableMin: 105, mostMin: 120, amountCents: 13_125 });
  expect(between).toMatchObject({ arrival: [{ why: 'moving' }], departure: [{ why: 'moving' }] });
  expect(gaps).toEqual([]);
  expect(quality).toMatchObject({ fixes: 67, delayP50Ms: 5000, intervalP50Ms: 5 * MINUTE_MS });
  expect(truck).toMatchObject({ name: STAY_UNIT, carrierMatch: 'unknown' });
  expect(fixes.arrival.map(({ place }) => place)).toContain('outside');
  expect((await listBillable(held.context(), PROOF_USDOT)).stays).toEqual([]);
});

it('of own devices it does not say that a provider knows the truck', async () => {
  await held.proof.database.query(
    `insert into linehaul.fleet_providers (usdot, from_ms, provider) values ($1, 1, 'Own devices')`,
    [PROOF_USDOT],
  );
  await held.proof.database.query(
    'insert into linehaul.unit_identities (usdot, unit, seen_ms, identity) values ($1, $2, 1, $3)',
    [PROOF_USDOT, STAY_UNIT, JSON.stringify({ key: STAY_UNIT, vin: STAY_UNIT, truckNumber: '4107' })],
  );
  const { parts } = await previewStatement(held.context(), PROOF_USDOT, ref());
  await held.proof.database.query('delete from linehaul.fleet_providers');
  await held.proof.database.query('delete from linehaul.unit_identities');
  const { note } = parts[0]!.facts.find(({ label }) => label === 'VIN')!;
  expect(note).toContain('there is no provider');
});

it('a preview does not wait for the account of the carrier', async () => {
  await held.agree();
  const context = held.context();
  const proof = { ...context.proof, readIssuer: () => new Promise<never>(() => undefined) };
  expect((await previewStatement({ ...context, proof }, PROOF_USDOT, ref())).parts).not.toEqual([]);
});

it('terms of customers and loads are for users who see all trucks', async () => {
  const terms = { freeMin: 60, countedFrom: 'arrival' as const, rateCents: 1, stepMin: 1, capCents: null };
  const of = { of: 'customer' as const, customer: 'Secret Foods', siteId: null, loadId: null };
  await changeTerms(held.context(), PROOF_USDOT, { ...of, terms });
  const namesOf = async (tags: string[] | null) => {
    const viewer = { ...held.context().viewer, tags };
    return (await listTerms({ ...held.context(), viewer }, PROOF_USDOT)).terms.map(({ name }) => name);
  };
  expect(await namesOf(null)).toEqual(['Secret Foods', 'Acme Rolla']);
  expect(await namesOf(['mine'])).toEqual(['Acme Rolla']);
  await changeTerms(held.context(), PROOF_USDOT, { ...of, terms: null });
});

it('its page says so in words', async () => {
  const { orm } = await held.proof.app.database.open();
  const text = JSON.stringify(toBlocks((await readDocument(orm, number))!.content));
  expect(text).toContain('1 h 45 min at least');
  expect(text).toContain('$131.25');
  expect(text).toContain('after Tue, Nov 24, 2026, 8:25:00 AM CST, by Tue, Nov 24, 2026, 8:30:05 AM CST');
  expect(text).not.toMatch(/undefined|NaN|null/);
});

it('is listed by month as CSV', async () => {
  const rows = await listStatements(held.context(), PROOF_USDOT, '2026-11');
  expect(rows).toMatchObject([{ number, revision: 1, amountCents: 13_125 }]);
  expect(await listStatements(held.context(), PROOF_USDOT, '2026-10')).toEqual([]);
  expect(toStatementsCsv(rows).split('\r\n')[1]).toContain(`${number},1,`);
});

it('issued again it is the next revision of the same number', async () => {
  expect(await held.issue(13_125)).toEqual({ number, revision: 2, isShownByNumber: true });
});

it('a fix that comes late and moves a time makes a revision by itself, by the terms of the first; both stay', async () => {
  // It was inside for longer than the polls showed.
  await held.drive([{ min: 272, northM: 50, seenMin: 500 }]);
  await held.agree({ rateCents: 100 });
  await held.visit([25, 30, 272, 275]);
  await correct();
  await correct();
  const { orm } = await held.proof.app.database.open();
  expect((await subjectOf(number)).departure.afterMs).toBe(STAY_MS + 272 * MINUTE_MS);
  expect((await subjectOf(number)).billing).toMatchObject({
    billableMin: 105,
    mostMin: 120,
    amountCents: 13_125,
  });
  expect((await subjectOf(number, 2)).departure.afterMs).toBe(STAY_MS + 270 * MINUTE_MS);
  expect((await readDocument(orm, number))!).toMatchObject({
    revision: 3,
    madeBy: 'server',
    isShownByNumber: true,
  });
});

it('a stop of a load is billed from its appointment by the terms of its customer, and needs no visit to be named', async () => {
  const context = held.context();
  const unit = '1FUJHHDR0NLNA1234';
  const appointment = { fromMs: STAY_MS + 60 * MINUTE_MS, toMs: STAY_MS + 90 * MINUTE_MS };
  const id = await addLoadAt(unit, '4711', { customer: 'Acme Foods', appointment });
  await held.drive(USUAL_FIXES, unit);
  await held.visit([25, 30, 270, 275], { unit });
  const { stays } = await listBillable(context, PROOF_USDOT);
  // By the site's terms, and the free minutes of the stop: 60 + 90 minutes after 8 AM until 12:30 PM, less a minute.
  expect(stays).toMatchObject([
    {
      unit,
      loadId: id,
      position: 0,
      reference: '4711',
      customer: 'Acme Foods',
      billableMin: 105,
      missing: [],
    },
  ]);
  // Pages, alerts and mails count by the same terms, and read them again once they change.
  const reloaded: string[] = [];
  const watched = { ...context, watch: { reload: (usdot: string) => void reloaded.push(usdot) } };
  const readFree = async () => (await readLoad(context, PROOF_USDOT, id)).load.stops[0]!.free;
  expect(await readFree()).toEqual({ freeMin: 90, countedFrom: 'appointment' });
  const ofLoad = { of: 'load', customer: null, siteId: null, loadId: id } as const;
  await changeTerms(watched, PROOF_USDOT, { ...ofLoad, terms: { ...STAY_TERMS, countedFrom: 'arrival' } });
  expect(await readFree()).toEqual({ freeMin: 90, countedFrom: 'arrival' });
  await changeTerms(watched, PROOF_USDOT, { ...ofLoad, terms: null });
  expect(reloaded).toEqual([PROOF_USDOT, PROOF_USDOT]);
  const { amountCents } = stays[0]!;
  const stay = { loadId: id, position: 0 };
  const issued = await issueStatement(context, PROOF_USDOT, {
    ...{ stay, isShownByNumber: false, amountCents: amountCents! },
  });
  const subject = await subjectOf(issued.number);
  expect(subject).toMatchObject({
    ...{ customer: 'Acme Foods', appointment, terms: { of: 'site', freeMin: 90 } },
    load: { reference: '4711', po: '', bol: '' },
    billing: { freeFromMs: appointment.fromMs, billableMin: 105, amountCents },
  });
  // The visit of the stop is the same stay.
  expect(
    await previewStatement(context, PROOF_USDOT, {
      unit,
      siteId: held.siteId,
      arrivedMs: STAY_MS + 40 * MINUTE_MS,
    }),
  ).toMatchObject({ number: issued.number, loadId: id });
  expect((await listBillable(context, PROOF_USDOT)).stays).toEqual([]);
});

it('a truck with two loads has a statement for each: neither customer gets the revision of the other', async () => {
  const unit = '1FUJHHDR0NLNA1235';
  const appointment = { fromMs: STAY_MS + 60 * MINUTE_MS, toMs: STAY_MS + 90 * MINUTE_MS };
  const [a, b] = [
    await addLoadAt(unit, 'A-1', { customer: 'Acme Foods', appointment }),
    await addLoadAt(unit, 'B-1', { customer: 'Other Foods', appointment }),
  ];
  await held.drive(USUAL_FIXES, unit);
  await held.visit([25, 30, 270, 275], { unit });
  const issue = async (loadId: number) => {
    const stay = { loadId, position: 0 };
    const { amountCents } = await previewStatement(held.context(), PROOF_USDOT, stay);
    const input = { stay, isShownByNumber: true, amountCents: amountCents! };
    return issueStatement(held.context(), PROOF_USDOT, input);
  };
  const first = await issue(a);
  expect(await previewStatement(held.context(), PROOF_USDOT, { loadId: b, position: 0 })).toMatchObject({
    ...{ number: null, other: { number: first.number, reference: 'A-1' } },
  });
  const second = await issue(b);
  expect([first.revision, second.revision]).toEqual([1, 1]);
  expect(await subjectOf(first.number)).toMatchObject({ customer: 'Acme Foods', load: { reference: 'A-1' } });
  expect(await issue(a)).toMatchObject({ number: first.number, revision: 2 });
  expect((await issue(b)).number).toBe(second.number);
});

it('a visit is listed by what its statement bills: time away is in neither', async () => {
  const unit = '1FUJHHDR0NLNA1238';
  // From the 90th minute to the 180th it waited at the gate, within the margin.
  const fixes = USUAL_FIXES.map((fix) => (fix.min > 90 && fix.min < 180 ? { ...fix, northM: 240 } : fix));
  await held.drive(fixes, unit);
  await held.visit([25, 30, 270, 275], { unit });
  await held.agree({ freeMin: 60, countedFrom: 'arrival' });
  const { stays } = await listBillable(held.context(), PROOF_USDOT);
  const listed = stays.find((stay) => stay.unit === unit)!;
  // 240 minutes less 90 away, two for the clock of the tracker, five seconds until it was seen, and an hour that is free.
  expect(listed).toMatchObject({ billableMin: 75, amountCents: 9375 });
  const { amountCents } = await previewStatement(held.context(), PROOF_USDOT, { ...ref(), unit });
  expect(amountCents).toBe(listed.amountCents);
  // Reports and the page of the site have as much.
  const [visit] = await held.proof.database.query(
    'select away_ms::int as away, count_due_ms as due from linehaul.site_visits where unit = $1',
    [unit],
  );
  expect(visit).toEqual({ away: 91 * MINUTE_MS + 5000, due: null });
  const { number: of } = await held.issue(9375, 40, unit);
  // Fixes that came late, and move no end, show that it was away for longer.
  await held.drive(
    [62, 67, 72].map((min) => ({ min, northM: 240, seenMin: 600 })),
    unit,
  );
  await held.proof.database.query(
    'update linehaul.site_visits set left_by_ms = left_by_ms + 1 where unit = $1',
    [unit],
  );
  await held.proof.database.query(
    'update linehaul.site_visits set left_by_ms = left_by_ms - 1 where unit = $1',
    [unit],
  );
  await listBillable(held.context(), PROOF_USDOT);
  await correct();
  expect((await subjectOf(of)).billing).toMatchObject({ billableMin: 60 });
  expect((await subjectOf(of, 1)).billing).toMatchObject({ billableMin: 75 });
  await held.agree();
});

it('after a swap of trucks at the dock each has a statement, and free time is counted once', async () => {
  const [first, second] = ['1FUJHHDR0NLNA1239', '1FUJHHDR0NLNA1240'];
  const appointment = { fromMs: STAY_MS + 30 * MINUTE_MS, toMs: STAY_MS + 90 * MINUTE_MS };
  const loadId = await addLoadAt(first, 'S-1', { customer: 'Acme Foods', appointment });
  const swapMs = STAY_MS + 150 * MINUTE_MS;
  await held.proof.database.query('update linehaul.load_trucks set to_ms = $1 where load_id = $2', [
    swapMs,
    loadId,
  ]);
  await held.proof.database.query(
    `insert into linehaul.load_trucks (load_id, unit, from_ms, made_by) values ($1, $2, $3, 'a')`,
    [loadId, second, swapMs],
  );
  for (const unit of [first, second]) {
    await held.drive(USUAL_FIXES, unit);
    await held.visit([25, 30, 270, 275], { unit });
  }
  const listOf = async () =>
    (await listBillable(held.context(), PROOF_USDOT)).stays.filter((stay) => stay.loadId === loadId);
  const stays = await listOf();
  // Two hours with the first truck, of which 90 minutes are free, and two less a minute with the second.
  expect(stays).toMatchObject([
    { unit: first, billableMin: 15, amountCents: 1875 },
    { unit: second, billableMin: 105, amountCents: 13_125 },
  ]);
  const issued = [];
  for (const { unit, arrivedMs, position, amountCents } of stays) {
    const stay = { loadId, position, unit, arrivedMs };
    const input = { stay, isShownByNumber: true, amountCents: amountCents! };
    issued.push(await issueStatement(held.context(), PROOF_USDOT, input));
  }
  expect(new Set(issued.map((each) => each.number)).size).toBe(2);
  const [one, two] = await Promise.all(issued.map((each) => subjectOf(each.number)));
  expect(one!.sure.toMs).toBe(swapMs);
  expect(one).not.toHaveProperty('earlier');
  expect(two!.sure.fromMs).toBe(swapMs);
  expect(two!.earlier).toEqual({ freeMs: 90 * MINUTE_MS, amountCents: 1875 });
  expect(
    JSON.stringify(
      toBlocks((await readDocument((await held.proof.app.database.open()).orm, issued[1]!.number))!.content),
    ),
  ).toContain('has used 1 h 30 min of the free time');
  expect(await listOf()).toEqual([]);
  // The visit of the second truck to the site is that stay, and the button of the load is about the first.
  const number = async (of: StayRef) => (await previewStatement(held.context(), PROOF_USDOT, of)).number;
  expect(await number({ unit: second, siteId: held.siteId, arrivedMs: swapMs + 1 })).toBe(issued[1]!.number);
  // Also by a time before it had the load.
  const before = await previewStatement(held.context(), PROOF_USDOT, {
    ...{ unit: second, siteId: held.siteId, arrivedMs: STAY_MS + 30 * MINUTE_MS },
  });
  expect(before).toMatchObject({ number: issued[1]!.number, amountCents: 13_125, loadId });
  expect(await number({ loadId, position: 0 })).toBe(issued[0]!.number);
  // Late fixes move the end of the second one alone, and neither counts what the other truck had.
  await held.drive([{ min: 273, northM: 50 }], second);
  await held.visit([25, 30, 273, 275], { unit: second });
  await correct();
  const corrected = await subjectOf(issued[1]!.number, 2);
  expect(corrected.sure).toEqual({ fromMs: swapMs, toMs: STAY_MS + 272 * MINUTE_MS, away: [] });
  expect(corrected.earlier).toEqual(two!.earlier);
});

it('a correction is about the same load, by its appointment, also where that load was removed', async () => {
  const unit = '1FUJHHDR0NLNA1236';
  const appointment = { fromMs: STAY_MS + 120 * MINUTE_MS, toMs: STAY_MS + 150 * MINUTE_MS };
  const loadId = await addLoadAt(unit, '4712', { customer: 'Acme Foods', appointment });
  await held.drive(USUAL_FIXES, unit);
  await held.visit([25, 30, 270, 275], { unit });
  const stay = { loadId, position: 0 };
  const { amountCents } = await previewStatement(held.context(), PROOF_USDOT, stay);
  const { number: of } = await issueStatement(held.context(), PROOF_USDOT, {
    ...{ stay, isShownByNumber: true, amountCents: amountCents! },
  });
  const said = await subjectOf(of);
  await removeLoad(held.context(), PROOF_USDOT, loadId);
  await held.drive([{ min: 273, northM: 50, seenMin: 500 }], unit);
  await held.visit([25, 30, 273, 275], { unit });
  await correct();
  expect((await readDocument((await held.proof.app.database.open()).orm, of))!.revision).toBe(2);
  const { departure, fixes, ...others } = await subjectOf(of);
  expect(departure.afterMs).toBe(STAY_MS + 273 * MINUTE_MS);
  const { customer, load, place, terms, billing, notices } = said;
  expect(others).toMatchObject({ customer, load, place, terms, billing, notices, appointment });
  expect(fixes.departure.length).toBeGreaterThan(0);
});

it('another edge of the site is no correction', async () => {
  const edge = (radiusM: number) =>
    held.proof.database.query(
      `update linehaul.sites set shape = jsonb_set(shape, '{radiusM}', $1::text::jsonb)`,
      [radiusM],
    );
  await edge(2000);
  await held.visit([25, 31, 272, 275]);
  await held.proof.database.query('delete from linehaul.site_visits where unit = $1 and arrived_ms = $2', [
    STAY_UNIT,
    STAY_MS + 30 * MINUTE_MS,
  ]);
  const { revision } = (await readDocument((await held.proof.app.database.open()).orm, number))!;
  await correct();
  expect((await readDocument((await held.proof.app.database.open()).orm, number))!.revision).toBe(revision);
  await edge(200);
});

it('says nothing of trucks that the viewer does not see, not even whether they are there', async () => {
  const context = { ...held.context(), viewer: { ...held.context().viewer, tags: ['mine'] } };
  const unit = '1FUJHHDR0NLNA1237';
  await held.visit([25, 30, null, null], { unit });
  const codeOf = (changes: object) =>
    previewStatement(context, PROOF_USDOT, { ...ref(), ...changes }).then(
      () => 'shown',
      ({ code }: { code: string }) => code,
    );
  const never = STAY_MS - 1000 * MINUTE_MS;
  for (const of of [{}, { unit }, { arrivedMs: never }, { unit, arrivedMs: never }])
    expect(await codeOf(of)).toBe('unknown-unit');
  const [{ id }] = (await held.proof.database.query('select max(id) as id from linehaul.loads')) as [
    { id: string },
  ];
  for (const loadId of [Number(id), 99_999_999])
    for (const position of [0, 7])
      expect(await codeOf({ unit: null, siteId: null, arrivedMs: null, loadId, position })).toBe(
        'unknown-load',
      );
});
