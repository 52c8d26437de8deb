import { beforeAll, beforeEach, expect, it } from 'vitest';
import { DEMO_VIEWER } from '@/lib/auth/server/demo';
import type { Viewer } from '@/lib/base/viewer';
import { insertAlert, insertRule, insertSite, setUpAlerts } from '@/testing/alerts/alerts';
import { alertPageAnswer, alertAnswer, rulesAnswer } from '../answers';
import { MAX_OWN_RULES, MAX_RULES, MAX_UNREAD } from '../schema';
import type { AlertRuleInput } from '@/lib/rules/alert-rule';
import { acknowledgeAlert, addNote, changeAlerts, listAlerts, markAlertsRead } from './alerts';
import { readHeldAlerts } from '@/lib/recording/alert-writer';
import { addRule, changeRule, listFleetRules, removeRule } from './rules';

const held = setUpAlerts();
const USDOT = '9000001';
const OTHER = '9000002';
const RULE: AlertRuleInput = {
  name: 'Late trucks',
  condition: { kind: 'late' },
  units: { type: 'all' },
  schedule: null,
  severity: 'warning',
  coolDownMin: 60,
  isEnabled: true,
  isOwn: false,
};

let ann: Viewer;
let dan: Viewer;
let eve: Viewer;
beforeAll(async () => {
  ann = await held.addUser('ann', 'manager', null);
  dan = await held.addUser('dan', 'dispatcher', [USDOT]);
  eve = await held.addUser('eve', 'dispatcher', null);
});
beforeEach(() => held.clear());

const by = (viewer: Viewer) => held.by(viewer);
const add = (viewer: Viewer, rule: Partial<AlertRuleInput> = {}) =>
  addRule(by(viewer), USDOT, { ...RULE, ...rule });
const listNames = async (viewer: Viewer, usdot = USDOT) =>
  (await listFleetRules(by(viewer), usdot)).rules.map(({ name }) => name);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: { code: unknown }) => error.code,
  );

it('a rule of the fleet is seen by its users, an own one by its maker alone', async () => {
  await add(ann, { name: 'For all' });
  await add(dan, { name: 'Own', isOwn: true });
  expect(await listNames(dan)).toEqual(['For all', 'Own']);
  for (const viewer of [ann, eve, DEMO_VIEWER]) expect(await listNames(viewer)).toEqual(['For all']);
  expect(await listNames(ann, OTHER)).toEqual([]);
  const listed = await listFleetRules(by(dan), USDOT);
  expect(rulesAnswer.parse(listed).rules[1]).toMatchObject({
    ...RULE,
    name: 'Own',
    isOwn: true,
    madeBy: 'dan',
  });
});

it('only a manager adds, changes and removes rules of the fleet, and only their maker own rules', async () => {
  expect(await codeOf(add(dan))).toBe('managers-only');
  const { id } = await add(ann);
  const own = await add(dan, { isOwn: true });
  for (const run of [changeRule(by(dan), USDOT, String(id), {}), removeRule(by(dan), USDOT, String(id))])
    expect(await codeOf(run)).toBe('managers-only');
  for (const viewer of [ann, eve]) {
    expect(await codeOf(changeRule(by(viewer), USDOT, String(own.id), {}))).toBe('unknown-rule');
    expect(await codeOf(removeRule(by(viewer), USDOT, String(own.id)))).toBe('unknown-rule');
  }
  expect(await codeOf(removeRule(by(ann), OTHER, String(id)))).toBe('unknown-rule');
  expect(await codeOf(removeRule(by(ann), USDOT, 'x'))).toBe('unknown-rule');
});

it('the demo has rules for the fleet and none of its own', async () => {
  await add(DEMO_VIEWER, { name: 'Demo' });
  expect(await codeOf(add(DEMO_VIEWER, { isOwn: true }))).toBe('demo-has-no-users');
  expect(await listNames(DEMO_VIEWER)).toEqual(['Demo']);
});

it('a change keeps what it leaves out, is recorded with its sentence, and reloads the evaluation', async () => {
  const site = await insertSite(held, USDOT, 'Yard Dallas');
  const { id } = await add(ann);
  const condition: AlertRuleInput['condition'] = { kind: 'arrives', siteIds: [site] };
  const changed = await changeRule(by(ann), USDOT, String(id), { condition, severity: 'critical' });
  expect(changed).toMatchObject({ ...RULE, condition, severity: 'critical', id, madeBy: 'ann' });
  expect((await listFleetRules(by(eve), USDOT)).rules).toEqual([changed]);
  await removeRule(by(ann), USDOT, String(id));
  expect(await listNames(ann)).toEqual([]);
  expect(await held.readAudit()).toEqual([
    ['ann@carrier.test', 'alert-rule.add', { usdot: USDOT, id, rule: 'When any truck is late' }],
    [
      'ann@carrier.test',
      'alert-rule.change',
      {
        usdot: USDOT,
        id,
        rule: 'When any truck arrives at Yard Dallas',
        severity: { before: 'warning', after: 'critical' },
      },
    ],
    ['ann@carrier.test', 'alert-rule.remove', { usdot: USDOT, id }],
  ]);
  expect(held.reloaded).toEqual([USDOT, USDOT, USDOT]);
});

it('a site of another fleet is a fault of its field, and nothing is stored', async () => {
  const foreign = await insertSite(held, OTHER, 'Yard Waco');
  await expect(add(ann, { condition: { kind: 'leaves', siteIds: [foreign] } })).rejects.toMatchObject({
    code: 'bad-input',
    faults: [{ field: 'condition.siteIds', message: expect.stringContaining('no such site') }],
  });
  expect(await listNames(ann)).toEqual([]);
  expect(await held.readAudit()).toEqual([]);
  expect(held.reloaded).toEqual([]);
});

it('a fleet has at most so many rules, and a user so many of their own', async () => {
  await insertRule(held, { usdot: USDOT, ownerId: dan.id, times: MAX_OWN_RULES });
  expect(await codeOf(add(dan, { isOwn: true }))).toBe('too-many-rules');
  await insertRule(held, { usdot: USDOT, times: MAX_RULES - 1 - MAX_OWN_RULES });
  // Of two at the same moment, one finds room.
  const codes = await Promise.all([codeOf(add(ann)), codeOf(add(eve, { isOwn: true }))]);
  expect(codes.sort()).toEqual(['too-many-rules', null].sort());
});

it('a rule that is switched off or removed closes its alerts, which outlive it', async () => {
  const ids = [await insertRule(held, { usdot: USDOT }), await insertRule(held, { usdot: USDOT })];
  for (const ruleId of ids) await insertAlert(held, { usdot: USDOT, ruleId });
  await changeRule(by(ann), USDOT, String(ids[0]), { isEnabled: false });
  await removeRule(by(ann), USDOT, String(ids[1]));
  const { alerts } = await listAlerts(by(ann), USDOT, {});
  expect(alerts.map(({ ruleId, closedMs }) => [ruleId, closedMs])).toEqual([
    [null, held.nowMs],
    [ids[0], held.nowMs],
  ]);
});

it('alerts come newest first in pages, those of the fleet and of own rules', async () => {
  const closed = await insertAlert(held, { usdot: USDOT, closedMs: 1, times: 30 });
  const open = await insertAlert(held, { usdot: USDOT, times: 30 });
  const ids = Array.from({ length: 60 }, (_, i) => open - i);
  expect(closed).toBe(open - 30);
  await insertAlert(held, { usdot: USDOT, ownerId: eve.id });
  await insertAlert(held, { usdot: OTHER });
  const first = alertPageAnswer.parse(await listAlerts(by(dan), USDOT, {}));
  const second = await listAlerts(by(dan), USDOT, { before: first.alerts.at(-1)!.id });
  expect([...first.alerts, ...second.alerts].map(({ id }) => id)).toEqual(ids);
  expect([first.hasMore, second.hasMore, first.isRecorded]).toEqual([true, false, false]);
  const opened = await listAlerts(by(dan), USDOT, { open: 'true' });
  expect(opened.alerts.map(({ id }) => id)).toEqual(ids.slice(0, 30));
  expect((await listAlerts(by(eve), USDOT, {})).alerts[0]!.id).toBeGreaterThan(ids[0]!);
  expect(Object.keys(first.alerts[0]!)).not.toContain('ownerId');
});

it('alerts are read up to one, by each viewer apart, and never unread again', async () => {
  const newest = await insertAlert(held, { usdot: USDOT, times: 3 });
  const unread = async (viewer: Viewer) => (await listAlerts(by(viewer), USDOT, {})).unread;
  expect(await unread(dan)).toBe(3);
  await markAlertsRead(by(dan), USDOT, newest - 1);
  await markAlertsRead(by(dan), USDOT, newest - 2);
  expect([await unread(dan), await unread(eve)]).toEqual([1, 3]);
  // One that is still to come stays unread.
  await markAlertsRead(by(DEMO_VIEWER), USDOT, Number.MAX_SAFE_INTEGER);
  await insertAlert(held, { usdot: USDOT });
  expect(await unread(DEMO_VIEWER)).toBe(1);
  await insertAlert(held, { usdot: USDOT, times: MAX_UNREAD + 1 });
  expect(await unread(eve)).toBe(MAX_UNREAD);
});

it('an alert is acknowledged once, with a note, in the audit log', async () => {
  const id = await insertAlert(held, { usdot: USDOT });
  const answers = await Promise.allSettled(
    [dan, eve].map((viewer) => acknowledgeAlert(by(viewer), USDOT, String(id), 'Called the driver')),
  );
  const [done] = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [refused] = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  expect(alertAnswer.parse(done)).toMatchObject({
    id,
    note: 'Called the driver',
    acknowledgedMs: held.nowMs,
  });
  expect(refused).toMatchObject({
    code: 'alert-acknowledged',
    detail: `${done!.acknowledgedBy} has acknowledged this alert.`,
  });
  expect(await held.readAudit()).toEqual([
    [
      `${done!.acknowledgedBy}@carrier.test`,
      'alert.acknowledge',
      { usdot: USDOT, id, unit: 'VIN1', note: 'Called the driver' },
    ],
  ]);
});

const changeAll = (viewer: Viewer, alertIds: number[], input: Partial<Parameters<typeof changeAlerts>[2]>) =>
  changeAlerts({ ...by(viewer), messages: null }, USDOT, {
    ...{ alertIds, isAcknowledged: false, isClosed: false, note: '', ...input },
  });

it('alerts are acknowledged, noted and closed together, each with its own entries in the audit log', async () => {
  const ruleId = await insertRule(held, { usdot: USDOT });
  const ids = [
    await insertAlert(held, { usdot: USDOT, ruleId, unit: 'VIN1', severity: 'critical' }),
    await insertAlert(held, { usdot: USDOT, ruleId, unit: 'VIN2' }),
  ];
  const hidden = [
    await insertAlert(held, { usdot: OTHER }),
    await insertAlert(held, { usdot: USDOT, ownerId: eve.id }),
  ];
  const waiting = async () => (await listAlerts(by(dan), USDOT, {})).waiting;
  expect(await waiting()).toEqual({ info: 0, warning: 1, critical: 1 });
  const all = [...ids, ...hidden, 2 ** 40];
  expect(await changeAll(dan, all, { isAcknowledged: true, note: 'Called' })).toEqual({
    changed: 2,
    unchanged: 3,
  });
  expect(await waiting()).toEqual({ info: 0, warning: 0, critical: 0 });
  // One that a colleague has taken stays theirs, without the note.
  expect(await changeAll(eve, ids, { isAcknowledged: true, note: 'Mine' })).toEqual({
    changed: 0,
    unchanged: 2,
  });
  // Only who took an alert takes that back.
  expect(await changeAll(eve, ids, { isReleased: true })).toEqual({ changed: 0, unchanged: 2 });
  expect(await changeAll(dan, ids, { isReleased: true })).toEqual({ changed: 2, unchanged: 0 });
  expect(await waiting()).toEqual({ info: 0, warning: 1, critical: 1 });
  await changeAll(dan, ids, { isAcknowledged: true });
  expect(await changeAll(eve, ids.slice(1), { note: 'On its way' })).toEqual({ changed: 1, unchanged: 0 });
  expect(addNote(['old', ...Array<string>(4).fill('x'.repeat(490))].join('\n'), 'y'.repeat(40))).toBe(
    [...Array<string>(3).fill('x'.repeat(490)), 'y'.repeat(40)].join('\n'),
  );
  expect(await changeAll(eve, ids, { isClosed: true })).toEqual({ changed: 2, unchanged: 0 });
  expect((await listAlerts(by(dan), USDOT, {})).alerts).toMatchObject([
    { id: ids[1], acknowledgedBy: 'dan', note: 'Called\nOn its way', closedBy: 'eve', closedMs: held.nowMs },
    { id: ids[0], acknowledgedBy: 'dan', note: 'Called', closedBy: 'eve', closedMs: held.nowMs },
  ]);
  expect((await held.readAudit()).map(([, action]) => action)).toEqual([
    ...['alert.acknowledge', 'alert.acknowledge', 'alert.release', 'alert.release'],
    ...['alert.acknowledge', 'alert.acknowledge', 'alert.note', 'alert.close', 'alert.close'],
  ]);
  // Their cases open no alert until they have ended.
  const { pool } = await held.app.database.open();
  expect((await readHeldAlerts(pool, USDOT, held.nowMs)).filter(({ isKnown }) => isKnown)).toMatchObject([
    { ruleId, unit: 'VIN1', closedMs: null },
    { ruleId, unit: 'VIN2', closedMs: null },
  ]);
  await changeRule(by(ann), USDOT, String(ruleId), { isEnabled: false });
  await changeRule(by(ann), USDOT, String(ruleId), { isEnabled: true });
  expect(await readHeldAlerts(pool, USDOT, held.nowMs)).toEqual([]);
});

it('a case that was closed by hand stays closed whatever is saved, until its rule has another condition', async () => {
  const { pool } = await held.app.database.open();
  const ruleId = await insertRule(held, { usdot: USDOT });
  const id = await insertAlert(held, { usdot: USDOT, ruleId });
  held.reloaded.length = 0;
  await changeAll(dan, [id], { isClosed: true });
  expect(held.reloaded).toEqual([USDOT]);
  const save = (change: Parameters<typeof changeRule>[3]) =>
    changeRule(by(ann), USDOT, String(ruleId), change);
  const countKnown = async () =>
    (await readHeldAlerts(pool, USDOT, held.nowMs)).filter(({ isKnown }) => isKnown).length;
  await save({ isNewOnly: true });
  await save({ isNewOnly: false });
  await pool.query(`INSERT INTO linehaul.unit_tags (usdot, tag, unit) VALUES ($1, 'reefer', 'A')`, [USDOT]);
  await save({ condition: { kind: 'late' }, units: { type: 'tags', tags: ['reefer'] }, coolDownMin: 5 });
  expect(await countKnown()).toBe(1);
  await save({ condition: { kind: 'vanishes' } });
  expect(await countKnown()).toBe(0);
});

it('a rule keeps from when on its cases are new', async () => {
  const { id } = await add(ann, { isNewOnly: true });
  expect((await listFleetRules(by(ann), USDOT)).rules).toMatchObject([{ id, newFromMs: held.nowMs }]);
  await changeRule(by(ann), USDOT, String(id), { severity: 'info' });
  expect((await listFleetRules(by(ann), USDOT)).rules).toMatchObject([{ id, newFromMs: held.nowMs }]);
  held.nowMs += 1000;
  await changeRule(by(ann), USDOT, String(id), { condition: { kind: 'silent', forMin: 7 } });
  expect((await listFleetRules(by(ann), USDOT)).rules).toMatchObject([{ id, newFromMs: held.nowMs }]);
  await changeRule(by(ann), USDOT, String(id), { isEnabled: false });
  expect((await listFleetRules(by(ann), USDOT)).rules).toMatchObject([{ id, newFromMs: null }]);
});

it('an alert of another fleet, or of a colleague’s own rule, does not exist', async () => {
  const foreign = await insertAlert(held, { usdot: OTHER });
  const own = await insertAlert(held, { usdot: USDOT, ownerId: eve.id });
  for (const id of [foreign, own, 'x', 2 ** 50])
    expect(await codeOf(acknowledgeAlert(by(dan), USDOT, String(id), ''))).toBe('unknown-alert');
  expect(await codeOf(acknowledgeAlert(by(ann), USDOT, String(own), ''))).toBe('unknown-alert');
  expect((await acknowledgeAlert(by(eve), USDOT, String(own), '')).note).toBeNull();
});

it('a user of some units has the alerts of these and of the feed alone', async () => {
  const limited: Viewer = { ...dan, tags: ['flatbeds', 'reefers'] };
  await held.database.query(
    `insert into linehaul.unit_tags values ($1, 'flatbeds', 'VIN1'), ($1, 'tankers', 'VIN2'), ('1', 'flatbeds', 'VIN2')`,
    [USDOT],
  );
  const seen = await insertAlert(held, { usdot: USDOT, unit: 'VIN1' });
  const outside = await insertAlert(held, { usdot: USDOT, unit: 'VIN2' });
  const ofFeed = await insertAlert(held, { usdot: USDOT, unit: '' });
  const read = () => listAlerts(by(limited), USDOT, {});
  expect(await read()).toMatchObject({ alerts: [{ id: ofFeed }, { id: seen }], unread: 2, hasMore: false });
  expect(await codeOf(acknowledgeAlert(by(limited), USDOT, String(outside), ''))).toBe('unknown-alert');
  expect((await acknowledgeAlert(by(limited), USDOT, String(seen), '')).id).toBe(seen);
  await held.database.query(
    `update linehaul.unit_tags set tag = 'reefers' where unit = 'VIN2' and usdot = $1`,
    [USDOT],
  );
  expect((await read()).alerts.map(({ id }) => id)).toEqual([ofFeed, outside, seen]);
});
