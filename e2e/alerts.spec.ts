/**
 * Alerts on the screen: a rule is made, an alert of it is seen and heard, taken and closed. The alert's row is written here
 * as the recorder writes it.
 */
import pg from 'pg';
import type { Page } from '@playwright/test';
import type { AlertFacts } from '@/lib/rules/alert-rule';
import { startReceiver } from '@/testing/alerts/receiver';
import { DEMO_USDOT } from './support/application';
import { readUnits } from './support/api-unit';
import { DIALOG, PHONE, expectAccessible, expectAccessibleLayouts } from './support/axe';
import { openDialog } from './support/dialog';
import { companyTest, expect, test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';
import { LONG } from './support/long';

const RULE = 'Lost on the road';
/** Two polls and the reading of the list, on a busy machine. */
const SOON = { timeout: 30_000 };

interface Opened {
  usdot: string;
  vin: string;
  name: string;
}

/** Opens an alert of the rule; returns its id. */
const openAlert = async (db: pg.Client, { usdot, vin, name }: Opened): Promise<number> => {
  const nowMs = Date.now();
  const facts: AlertFacts = {
    condition: { kind: 'vanishes' },
    unitName: name,
    fixAtMs: nowMs - 60_000,
    lat: 32.78,
    lng: -96.8,
    status: 'silent',
    reason: 'vanishedMoving',
    speedMph: 68,
    sinceMs: null,
    siteId: null,
    siteName: null,
    betweenMs: null,
    flags: [],
  };
  const { rows } = await db.query<{ id: string }>(
    `insert into linehaul.alerts (usdot, rule_id, rule_name, severity, unit, opened_ms, facts)
     select usdot, id, name, severity, $2, $3, $4 from linehaul.alert_rules where usdot = $1 and name = $5 returning id`,
    [usdot, vin, nowMs, JSON.stringify(facts), RULE],
  );
  return Number(rows[0]!.id);
};

const closeAlert = (db: pg.Client, id: number) =>
  db.query('update linehaul.alerts set closed_ms = $2 where id = $1', [id, Date.now()]);

interface Heard {
  tones: number;
  notifications: { title: string; body: string }[];
}

/** Records tones and notifications of the page, which a test cannot hear or see. */
const recordHeard = async (page: Page): Promise<() => Promise<Heard>> => {
  await page.addInitScript(() => {
    const heard: Heard = { tones: 0, notifications: [] };
    Object.assign(window, { heard });
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...when) {
      heard.tones += 1;
      return start.apply(this, when);
    };
    const Own = class extends EventTarget {
      static permission = 'granted';
      static requestPermission = async () => 'granted';
      constructor(title: string, { body = '' }: NotificationOptions) {
        super();
        heard.notifications.push({ title, body });
      }
      close() {}
    };
    Object.assign(window, { Notification: Own });
  });
  return () => page.evaluate(() => (window as unknown as { heard: Heard }).heard);
};

const bell = (page: Page, waiting: string) =>
  page
    .getByRole('banner')
    .getByRole('button', { name: waiting === '' ? 'Alerts' : `Alerts, ${waiting}`, exact: true });

let db: pg.Client;
test.beforeEach(async ({ target }) => {
  db = new pg.Client({ connectionString: target.application.databaseUrl });
  await db.connect();
});
test.afterEach(async () => {
  await db.query('delete from linehaul.alerts');
  await db.query('delete from linehaul.alert_rules');
  await db.query('delete from linehaul.alert_reads');
  await db.end();
});

const addRule = async (page: Page, usdot: string): Promise<void> => {
  await page.goto(`/fleets/${usdot}/alerts`);
  await page.getByRole('link', { name: 'Make the first rule' }).click();
  // No truck of the demo stays so long while the test runs, so that its own alert is the only one.
  await openDialog(page.getByRole('button', { name: 'A truck stays longer than 2 hours at a site' }));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('When any truck stays at any site longer than 2 h.')).toBeVisible();
  // A screen reader would read out all of a form that describes its dialog.
  await expect(dialog).toHaveAccessibleDescription('');
  await dialog.getByLabel('Severity').selectOption('critical');
  await dialog.getByLabel('Name').fill(RULE);
  await dialog.getByRole('button', { name: 'Add the rule' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: RULE })).toBeVisible();
};

test('a rule is made, its alert is seen and heard, taken with a note, and closes', async ({
  page,
  api,
  target,
}) => {
  const { usdot } = target;
  const [unit] = await readUnits(api, usdot);
  const opened: Opened = { usdot, vin: unit!.vin, name: '116' };
  const readHeard = await recordHeard(page);
  await addRule(page, usdot);

  await test.step('sound and notifications are chosen', async () => {
    await page.getByRole('main').getByRole('button', { name: 'Alert notifications' }).click();
    await page.getByLabel('Play a sound').check();
    await page.getByLabel(/^Show a notification/).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  });
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await expect(createFleetPage(page).options.first()).toBeVisible();
  const id = await openAlert(db, opened);

  await test.step('one sound, one notification, and a text for screen readers', async () => {
    await expect(bell(page, '1 critical')).toBeVisible(SOON);
    await expect.poll(async () => (await readHeard()).notifications.length).toBe(1);
    const { tones, notifications } = await readHeard();
    expect(tones).toBeGreaterThan(0);
    expect(notifications[0]!.title).toBe(`Critical: ${RULE}`);
    expect(notifications[0]!.body).toContain('Truck 116 vanished while moving');
    await expect(page.getByRole('status').filter({ hasText: /^1 new alert\. Truck 116/ })).toBeAttached();
  });
  await test.step('n goes to the unit', async () => {
    await page.keyboard.press('n');
    await expect(page).toHaveURL(new RegExp(`unit=${unit!.vin}`));
  });
  await test.step('the bell lists it, and counts it until someone takes it', async () => {
    await bell(page, '1 critical').click();
    await expect(page.getByRole('dialog').getByRole('link', { name: /Truck 116 vanished/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });
  await test.step('it is acknowledged by the keyboard', async () => {
    await page.keyboard.press('a');
    const line = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'Truck 116 vanished while moving' });
    await expect(line).toBeVisible(SOON);
    await line.focus();
    await expect(line).toHaveAccessibleName(/^Critical: Truck 116 vanished while moving/);
    await page.keyboard.press('k');
    await page.getByLabel('Note').fill('Calls the driver');
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await expect(line).toContainText(/took it at .*: Calls the driver/);
    await expect(bell(page, '')).toBeVisible(SOON);
  });
  await test.step('it closes', async () => {
    await closeAlert(db, id);
    await expect(page.getByRole('region', { name: 'Closed' }).getByRole('listitem')).toHaveCount(1, SOON);
  });
  await test.step('one below the chosen severity is listed, and not heard', async () => {
    await db.query(`update linehaul.alert_rules set severity = 'info'`);
    const { tones } = await readHeard();
    await closeAlert(db, await openAlert(db, opened));
    await expect(page.getByRole('region', { name: 'Closed' }).getByRole('listitem')).toHaveCount(2, SOON);
    expect(await readHeard()).toMatchObject({ tones, notifications: { length: 1 } });
    await expect(page.getByRole('status').filter({ hasText: /new alert/ })).toHaveCount(0);
  });
});

/** Opens so many alerts of the rule, each of another truck. */
const openMany = async (usdot: string, count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await openAlert(db, { usdot, vin: `VIN${i}`, name: `${500 + i}` });
};

test('40 alerts are acknowledged with 3 clicks from the map', async ({ page, target }) => {
  const { usdot } = target;
  await addRule(page, usdot);
  await openMany(usdot, 40);
  await page.goto(`/fleets/${usdot}`);
  await expect(bell(page, '40 critical')).toBeVisible(SOON);
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /^Alerts\b.*40 waiting/ })
    .click();
  await page.getByRole('checkbox', { name: 'Select all: Open · 40' }).click();
  await page
    .getByRole('group', { name: 'Selected alerts' })
    .getByRole('button', { name: 'Acknowledge' })
    .click();
  await expect(page.getByText(/took it at/)).toHaveCount(40);
  await expect(bell(page, '')).toBeVisible(SOON);
  await expect(page.getByRole('button', { name: /^Waiting 0/ })).toBeVisible();
  await expect(page.getByText(/^New$/)).toHaveCount(0);
  const done = page.getByRole('group', { name: 'Done' });
  await expect(done).toContainText('40 alerts acknowledged.');
  await done.getByRole('button', { name: 'Undo' }).click();
  await expect(bell(page, '40 critical')).toBeVisible(SOON);
  await expect(page.getByText(/took it at/)).toHaveCount(0);
});

test('alerts are selected, acknowledged and closed by the keyboard alone', async ({ page, target }) => {
  const { usdot } = target;
  await addRule(page, usdot);
  await openMany(usdot, 4);
  await page.goto(`/fleets/${usdot}/alerts`);
  const lines = page.getByRole('main').getByRole('listitem');
  const selected = page.getByRole('group', { name: 'Selected alerts' });
  await lines.first().focus();
  for (const key of ['x', 'Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
  await expect(selected).toContainText('3 selected');
  await expectAccessible(page, '[role="group"][aria-label="Selected alerts"]');
  await page.keyboard.press('k');
  await expect(page.getByText(/took it at/)).toHaveCount(3);
  await expect(selected).toBeHidden();
  await page.keyboard.press('Control+a');
  await expect(selected).toContainText('4 selected');
  await selected.getByRole('button', { name: 'Close' }).press('Enter');
  await page.getByLabel('Note').fill('The yard knows');
  await page.keyboard.press('Tab');
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().press('Enter');
  await expect(page.getByRole('region', { name: 'Closed' }).getByRole('listitem')).toHaveCount(4);
  await expect(lines.first()).toContainText('The yard knows');
});

test('a rule that opens many alerts says so before it is saved, also where that cannot be found out', async ({
  page,
  target,
}) => {
  const { usdot } = target;
  const busy = { status: 503, json: { title: 'History busy', status: 503, code: 'history-busy' } };
  const found = {
    count: 323,
    open: 40,
    first: [],
    fromMs: 0,
    toMs: 7 * 86_400_000,
    recordedMs: 7 * 86_400_000,
  };
  const asked: number[] = [];
  let answers = [busy, { json: found }, busy];
  await page.route('**/alert-rules/preview', (route) => {
    asked.push(asked.length);
    return route.fulfill(answers.length > 1 ? answers.shift()! : answers[0]!);
  });
  await page.route(`**/api/fleets/${usdot}/sites`, (route) => route.fulfill({ json: { sites: [] } }));
  await page.goto(`/fleets/${usdot}/alerts?tab=rules`);
  const dialog = page.getByRole('dialog');
  await openDialog(page.getByRole('button', { name: 'Add a rule' }));
  await dialog.getByLabel('What happens').selectOption('stands outside any site for');
  await expect(dialog.getByText(/^“Outside any site” needs sites/)).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Make a site' })).toBeVisible();
  await dialog.getByLabel('Name').fill(RULE);
  await dialog.getByRole('button', { name: 'Add the rule' }).click();
  await expect(dialog.getByText('This rule opens 40 alerts now.')).toBeVisible();
  await expect(dialog.getByRole('alert')).toBeEmpty();
  expect(asked).toHaveLength(2);
  await dialog.getByRole('button', { name: 'Add, new cases only' }).click();
  await expect(dialog).toBeHidden();

  const on = page.getByRole('switch', { name: RULE });
  await on.click();
  await expect(on).not.toBeChecked();
  answers = [busy];
  await on.click();
  await expect(dialog.getByText(/could not be found out/)).toBeVisible({ timeout: 20_000 });
  await expect(dialog.getByRole('button', { name: 'Save, new cases only' })).toBeVisible();
});

test(
  'a rule fires by itself for trucks of the demo that are silent, and is removed',
  LONG,
  async ({ page, target }) => {
    await page.goto(`/fleets/${target.usdot}/alerts`);
    await page.getByRole('link', { name: 'Make the first rule' }).click();
    await openDialog(page.getByRole('button', { name: 'A truck is silent for 2 hours' }));
    await page.getByLabel('Time: unit').selectOption('minutes');
    const time = page.getByLabel('Time', { exact: true });
    await time.fill('');
    for (const kind of ['leaves', 'silent']) await page.getByLabel('What happens').selectOption(kind);
    await expect(time).toHaveValue('');
    await time.fill('1');
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add the rule' });
    await add.click();
    // Nearly all trucks of the demo report less often, which the rule says before it is saved.
    await expect(page.getByRole('button', { name: 'Add, new cases only' })).toBeVisible();
    await expectAccessible(page, DIALOG);
    await expect(page.getByRole('radio', { name: 'Open no alert for them' })).toBeChecked();
    await page.getByRole('radio', { name: /^Open these \d+ alerts now/ }).check();
    await page.getByRole('button', { name: /^Add and open \d+ alerts/ }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.goto(`/fleets/${target.usdot}/alerts`);
    const open = page.getByRole('main').getByRole('listitem').filter({ hasText: 'silent for' });
    await expect(open.first()).toBeVisible(SOON);

    await page
      .getByRole('navigation', { name: 'Parts of this page' })
      .getByRole('link', { name: 'Rules' })
      .click();
    await openDialog(page.getByRole('button', { name: /^Remove/ }));
    await expect(page.getByRole('dialog')).toHaveAccessibleDescription(/closes its open alerts/);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the rule' }).click();
    await expect(page.getByText('No rules yet.')).toBeVisible();
    await page.setViewportSize(PHONE);
    const suggestion = page.getByRole('button', { name: 'A truck stays longer than 2 hours at a site' });
    const { x, width } = (await suggestion.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(PHONE.width - 12);
  },
);

test('axe finds nothing on the alerts, their rules and dialogs', LONG, async ({ page, api, target }) => {
  const { usdot } = target;
  await addRule(page, usdot);
  await expectAccessibleLayouts(page);
  await openDialog(page.getByRole('button', { name: 'Add a rule' }));
  await page.getByLabel('What happens').selectOption('moves outside its hours');
  await page.getByLabel('Which trucks').selectOption('any truck of make');
  await expectAccessible(page, DIALOG);
  await page.keyboard.press('Escape');
  const [unit] = await readUnits(api, usdot);
  for (let i = 0; i < 2; i++) {
    const id = await openAlert(db, { usdot, vin: unit!.vin, name: '116' });
    if (i === 0) await closeAlert(db, id);
  }
  await page.goto(`/fleets/${usdot}/alerts`);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await expectAccessibleLayouts(page);
  await page
    .getByRole('button', { name: /^Acknowledge/ })
    .first()
    .click();
  await expectAccessible(page, DIALOG);
  await page.keyboard.press('Escape');
  await page.getByRole('main').getByRole('button', { name: 'Alert notifications' }).click();
  await page.getByLabel('Quiet hours').selectOption('At these hours');
  await expectAccessible(page, DIALOG);
  await page.keyboard.press('Escape');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Alerts/ })
    .click();
  await expect(page.getByRole('link', { name: 'All alerts and rules' })).toBeVisible();
  await expectAccessible(page, DIALOG);
});

/** A message to a webhook that was not taken, as the recorder and the sender leave it. */
const addFailedMessage = async (databaseUrl: string): Promise<void> => {
  const company = new pg.Client({ connectionString: databaseUrl });
  await company.connect();
  await company.query(
    `insert into linehaul.alert_rules (usdot, name, condition, units, severity, cool_down_min, is_enabled, made_by, created_at, updated_at)
     values ($1, $2, '{"kind":"vanishes"}', '{"type":"all"}', 'critical', 30, false, 'The test', now(), now())`,
    [DEMO_USDOT, RULE],
  );
  const id = await openAlert(company, { usdot: DEMO_USDOT, vin: 'VIN116', name: '116' });
  await company.query(
    `insert into linehaul.alert_deliveries
       (id, alert_id, event, channel, target, state, attempts, last_error, created_ms, updated_ms)
     select gen_random_uuid(), $1, 'opened', 'webhook', id, 'failed', 3, 'It answered 500.', $2, $2 from linehaul.webhooks`,
    [id, Date.now()],
  );
  await company.end();
};

companyTest('settings of a user are saved and read again', LONG, async ({ page }) => {
  const open = async () => {
    await page.goto(`/fleets/${DEMO_USDOT}/alerts`);
    await openDialog(page.getByRole('main').getByRole('button', { name: 'Alert notifications' }));
  };
  // Keys of push messages are made in the first seconds of a new server.
  const readPushKey = async () =>
    ((await (await page.request.get('/api/alert-preferences')).json()) as { pushKey: unknown }).pushKey;
  await expect.poll(readPushKey, SOON).toEqual(expect.any(String));
  await open();
  await page.getByLabel('E-mail').selectOption('A digest once an hour');
  await page.getByLabel('I want to hear of').selectOption('Critical alerts only');
  await page.getByLabel('Quiet hours').selectOption('At these hours');
  await page.getByLabel('Send alerts to my phone or computer').check();
  await expectAccessible(page, DIALOG);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await open();
  await expect(page.getByLabel('E-mail')).toHaveValue('digest');
  await expect(page.getByLabel('I want to hear of')).toHaveValue('critical');
  await expect(page.getByRole('combobox', { name: 'Quiet hours' })).toHaveValue('some');
  await expect(page.getByLabel('Send alerts to my phone or computer')).toBeChecked();
});

companyTest(
  'a webhook is added, tested, and sends a message of its log again',
  LONG,
  async ({ page, company }) => {
    const receiver = await startReceiver();
    const dialog = page.getByRole('dialog');
    await page.goto(`/fleets/${DEMO_USDOT}/alerts?tab=webhooks`);
    const edgeOf = async (level: number) => (await page.getByRole('heading', { level }).boundingBox())!.x;
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('Webhooks');
    expect(await edgeOf(2)).toBe(await edgeOf(1));
    await openDialog(page.getByRole('button', { name: 'Add a webhook' }));
    await expectAccessible(page, DIALOG);
    await dialog.getByLabel('Name').fill('Dispatch board');
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Add the webhook' }).click();
    await expect(dialog.getByLabel('Signing secret', { exact: true })).toContainText('whsec_');
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Test Dispatch board' }).click();
    await dialog.getByRole('button', { name: 'Send the test' }).click();
    await expect(dialog.getByText('The program answered 204.')).toBeVisible();
    expect(JSON.parse(String(receiver.received[0]!.body))).toMatchObject({ type: 'alert.test' });
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

    await addFailedMessage(company.application.databaseUrl);
    await expect(page.getByRole('cell', { name: /^Failed .*It answered 500/ })).toBeVisible(SOON);
    await expectAccessibleLayouts(page);
    await page.getByRole('button', { name: 'Messages Dispatch board' }).click();
    await expect(dialog.getByText(`116: ${RULE}`)).toBeVisible();
    await expectAccessible(page, DIALOG);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/replay', async (route) => {
      await held;
      await route.continue();
    });
    const again = dialog.getByRole('button', { name: /^Send again/ });
    await again.click();
    await expect(again).toBeDisabled();
    answer();
    await expect(dialog.getByText('Delivered', { exact: true })).toBeVisible(SOON);
    expect(receiver.received).toHaveLength(2);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Change Dispatch board' }).click();
    await dialog.getByLabel('Send alerts to it').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Nothing: switched off')).toBeVisible();
    await page.getByRole('button', { name: 'Remove Dispatch board' }).click();
    await dialog.getByRole('button', { name: 'Remove the webhook' }).click();
    await expect(page.getByText('No webhooks yet.')).toBeVisible();
    await receiver.close();
  },
);
