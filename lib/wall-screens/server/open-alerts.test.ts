import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Viewer } from '@/lib/base/viewer';
import { insertAlert, setUpAlerts } from '@/testing/alerts/alerts';
import { MOST_OPEN_ALERTS, openAlertsShape } from '../open-alerts';
import { listOpenAlerts } from './open-alerts';

const held = setUpAlerts();
const USDOT = '9000001';
const SCREEN: Viewer = {
  ...{ kind: 'screen', id: 's', name: 'Yard', email: null, role: 'dispatcher' },
  ...{ usdots: [USDOT], tags: null },
};

let ann: Viewer;
beforeAll(async () => {
  ann = await held.addUser('ann', 'manager', null);
});
beforeEach(() => held.clear());

const insert = (alert: Partial<Parameters<typeof insertAlert>[1]>) =>
  insertAlert(held, { usdot: USDOT, ...alert });
const list = () => listOpenAlerts(held.by(SCREEN), USDOT);

it('lists what is open of the rules of the fleet: the worst that no one has taken first', async () => {
  await insert({ unit: 'INFO', severity: 'info', facts: { unitName: null } });
  await insert({ unit: 'CLOSED', closedMs: held.nowMs });
  await insert({ unit: 'OWN', ownerId: ann.id });
  await insert({ unit: 'OTHER', usdot: '9000002' });
  const taken = await insert({ unit: 'TAKEN', severity: 'critical', facts: { unitName: null } });
  await held.database.query(
    `update linehaul.alerts set acknowledged_by = 'ann', note = 'gate 4711' where id = $1`,
    [taken],
  );
  await insert({ unit: 'CRITICAL', severity: 'critical', facts: { unitName: '116' } });
  await insert({ unit: '', severity: 'warning' });
  const answer = await list();
  expect(openAlertsShape.parse(answer)).toMatchObject({ count: 4, waiting: 3 });
  expect(answer.alerts.map(({ unitName, isTaken }) => [unitName, isTaken])).toEqual([
    ['116', false],
    [null, false],
    ['INFO', false],
    ['TAKEN', true],
  ]);
});

it('says nothing that a person wrote, and names no person', async () => {
  await insert({ unit: 'TAKEN' });
  await held.database.query(`update linehaul.alerts set acknowledged_by = 'ann', note = 'gate 4711'`);
  const text = JSON.stringify(await list());
  for (const secret of ['ann', '4711']) expect(text).not.toContain(secret);
});

it('counts more than it lists', async () => {
  for (let n = 0; n <= MOST_OPEN_ALERTS; n++) await insert({ unit: `VIN${n}` });
  const { alerts, count } = await list();
  expect([alerts.length, count]).toEqual([MOST_OPEN_ALERTS, MOST_OPEN_ALERTS + 1]);
});
