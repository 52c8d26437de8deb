/**
 * The History page: activity and miles by state of chosen days, their files, and the way to a vehicle's day.
 * lib/reports/server/fleet-reports.test.ts compares the figures with those of each vehicle's day.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Page } from '@playwright/test';
import { addDays, dayOf, dayRange } from '@/lib/trips/days';
import { readUnits } from './support/api-unit';
import { PHONE } from './support/axe';
import { expect, test } from './support/fixtures';
import { LONG } from './support/long';
import { insertRecordedDay } from './support/recorded-day';
import type { Target } from './support/target';

/** Records a day on which one unit alone drives, in the time zone of the browser: Pittsburgh, Wheeling, Columbus. */
const recordDay = async (page: Page, { usdot, application }: Target, vin: string): Promise<string> => {
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const day = addDays(dayOf(Date.now(), zone), -6);
  const { fromMs: dayMs } = dayRange(day, zone);
  // The present hour has no partition before its first poll is recorded.
  await expect(() => insertRecordedDay(application.databaseUrl, { usdot, unit: vin, dayMs })).toPass();
  return day;
};

/** The exports in the audit log, the newest last. */
const readExports = async ({ application }: Target) => {
  const client = new pg.Client(application.databaseUrl);
  await client.connect();
  try {
    const found = await client.query(
      "SELECT action, subject, details FROM linehaul.audit_log WHERE action LIKE '%.export' ORDER BY id",
    );
    return found.rows;
  } finally {
    await client.end();
  }
};

const table = (page: Page, name: string) => page.getByRole('region', { name });

test('a chosen day shows what each truck did, leads to its page, and is saved as files', async ({
  page,
  api,
  target,
}) => {
  const { vin } = (await readUnits(api, target.usdot)).find(({ coordinates }) => coordinates !== null)!;
  const day = await recordDay(page, target, vin);
  await page.goto(`/fleets/${target.usdot}`);
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByLabel('Range')).toHaveValue('today');
  await page.getByLabel('From').fill(day);
  await page.getByLabel('to', { exact: true }).fill(day);
  await expect(page).toHaveURL(new RegExp(`from=${day}&to=${day}`));

  const activity = table(page, 'Activity of each truck and day');
  const cells = activity.getByRole('row').nth(1).getByRole('cell');
  // The threads of reports have a low priority.
  await expect(activity.getByRole('row')).toHaveCount(3, { timeout: 60_000 });
  await expect(page.getByText('Days are in your time zone.')).toBeVisible();
  await expect(cells.nth(1)).toHaveText('5:12 AM');
  await expect(cells.nth(2)).toHaveText('2:06 PM');
  await expect(cells.nth(3).getByRole('img')).toHaveAccessibleName(
    /^moving 3 h 1\d m, stopped .*, truck silent 42 min, not recorded 2 h 54 m$/,
  );
  await expect(cells.nth(8)).toHaveText('4');
  const miles = await cells.nth(9).textContent();

  const csv = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect((await csv).suggestedFilename()).toBe(`activity-${target.usdot}-${day}-${day}.csv`);
  expect(readFileSync(await (await csv).path(), 'utf8')).toContain(`,${vin},${day},${day} 05:12:00,`);
  const parquet = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More formats' }).click();
  await page.getByRole('menuitem', { name: 'All fixes as Parquet' }).click();
  expect((await parquet).suggestedFilename()).toBe(`linehaul-usdot-${target.usdot}-${day}.parquet`);
  expect(
    readFileSync(await (await parquet).path())
      .subarray(0, 4)
      .toString(),
  ).toBe('PAR1');
  const { usdot } = target;
  const query = 'from=0&to=1&zone=UTC&format=csv';
  await page.request.get(`${target.application.url}/api/fleets/${usdot}/units/${vin}/trail/export?${query}`);
  expect((await readExports(target)).slice(-2)).toMatchObject([
    { action: 'fleet.export', subject: usdot, details: { format: 'parquet', from: day, to: day } },
    { action: 'trail.export', subject: vin, details: { usdot, format: 'csv', from: '1970-01-01' } },
  ]);

  await cells.nth(0).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`${vin}\\?view=day&day=${day}`));
  await expect(page.getByText('Miles, at least').locator('..')).toContainText(`${miles} mi`);
});

test('the miles of one truck for a month, as a file, are 3 clicks from its page', async ({
  page,
  api,
  target,
}) => {
  const units = (await readUnits(api, target.usdot)).filter(({ coordinates }) => coordinates !== null);
  const { vin } = units[0]!;
  await page.goto(`/fleets/${target.usdot}`);
  await recordDay(page, target, vin);
  await page.goto(`/fleets/${target.usdot}/units/${vin}`);
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('link', { name: 'Miles by state' }).click();
  const states = table(page, 'Miles by state').getByRole('row');
  await expect(states.filter({ hasText: 'West Virginia' })).toBeVisible({ timeout: 60_000 });
  // One truck alone, below the head and above the sum.
  await expect(table(page, 'Miles of each truck').getByRole('row')).toHaveCount(3);
  const actions = page.getByRole('main').getByRole('button', { name: /^(Print|CSV|More formats)$/ });
  await expect(actions).toHaveText(['CSV', 'More formats', 'Print']);
  const csv = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const text = readFileSync(await (await csv).path(), 'utf8');
  expect(text).toContain(`,${vin},WV,`);
  const keys = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[1]);
  expect(new Set(keys)).toEqual(new Set([vin]));
  await page.getByRole('link', { name: 'Site visits' }).click();
  await expect(page.getByText('No visits.')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`unit=${vin}`));
});

test('data quality by truck and by type of device, with two side by side, and facilities, as files', async ({
  page,
  api,
  target,
}) => {
  const units = (await readUnits(api, target.usdot)).filter(({ coordinates }) => coordinates !== null);
  const { vin } = units[0]!;
  await page.goto(`/fleets/${target.usdot}`);
  const day = await recordDay(page, target, vin);
  await page.goto(`/fleets/${target.usdot}/history?from=${day}&to=${day}`);
  await page.getByRole('link', { name: 'Data quality' }).click();
  await page.getByRole('combobox', { name: 'By', exact: true }).selectOption('truck');
  const rows = table(page, 'Data quality').getByRole('row');
  await expect(rows.filter({ hasText: '1 truck' })).toBeVisible({ timeout: 60_000 });
  const figures = table(page, 'All figures').getByRole('row');
  // It drove through a silence of 42 minutes and two gaps that are not its own.
  await expect(figures.filter({ hasText: 'Driven miles covered' })).toContainText(
    /\d\d\.\d%\d+ mi of \d+ mi/,
  );
  await expect(figures.filter({ hasText: 'Between fixes while driving, half within' })).toContainText(
    /60 sof \d+ fixes/,
  );
  await expect(page).toHaveURL(/question=quality&.*by=truck/);
  const csv = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect((await csv).suggestedFilename()).toBe(`data-quality-${target.usdot}-${day}-${day}.csv`);
  expect(readFileSync(await (await csv).path(), 'utf8')).toContain(`,${vin},${day},1,`);

  // Today all trucks report, so that there are two rows to compare.
  await page.getByLabel('Range').selectOption('today');
  await expect(page.getByRole('heading', { name: 'Side by side' })).toBeVisible({ timeout: 60_000 });
  await expect(figures.first().getByRole('columnheader')).toHaveCount(3);
  await page.setViewportSize(PHONE);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

  await page.getByRole('link', { name: 'Facilities' }).click();
  await page.getByRole('combobox', { name: 'By', exact: true }).selectOption('customer');
  await expect(page).toHaveURL(/question=facilities&.*by=customer/);
  // Other tests may have ended loads on these days.
  const none = page.getByText('No truck came to a stop of a load on these days.');
  await expect(none.or(table(page, 'Facilities by customer'))).toBeVisible();
});

test('miles by state by keyboard, and on a phone', LONG, async ({ page, api, target }) => {
  const { vin } = (await readUnits(api, target.usdot)).find(({ coordinates }) => coordinates !== null)!;
  const day = await recordDay(page, target, vin);
  await page.goto(`/fleets/${target.usdot}/history?from=${day}&to=${day}`);
  await page.getByRole('link', { name: 'Miles by state' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Not an IFTA filing; use it to check one.')).toBeVisible();
  const states = table(page, 'Miles by state').getByRole('row');
  await expect(states).toHaveText([/^State/, /^OH Ohio/, /^PA Pennsylvania/, /^WV West Virginia/, /^All/]);
  const head = page.getByRole('columnheader', { name: 'State', exact: true });
  await head.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(states.nth(1)).toHaveText(/^WV/);
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  const trucks = table(page, 'Miles of each truck').getByRole('row');
  await page.getByRole('button', { name: /^States of / }).focus();
  await page.keyboard.press('Enter');
  await expect(trucks).toHaveCount(6);
  await page.setViewportSize(PHONE);
  await expect(states.nth(1)).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test(
  'on a phone the columns of the activity report are scrolled sideways beside the truck',
  LONG,
  async ({ page, target }) => {
    await page.setViewportSize(PHONE);
    await page.goto(`/fleets/${target.usdot}/history`);
    const activity = table(page, 'Activity of each truck and day');
    const row = activity.getByRole('row').nth(1);
    // The threads of reports have a low priority.
    await expect(row).toBeVisible({ timeout: 60_000 });
    await activity.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    await expect(row.getByRole('cell').last()).toBeInViewport({ ratio: 1 });
    await expect(row.getByRole('link')).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  },
);

test(
  'a range that is too long says what to do, and another one is chosen',
  LONG,
  async ({ page, target }) => {
    await page.goto(`/fleets/${target.usdot}/history?from=2026-01-01&to=2026-09-01`);
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'Choose a range of at most 92 days.',
    );
    await page.getByLabel('Range').selectOption('today');
    await expect(table(page, 'Activity of each truck and day').getByRole('row').nth(3)).toBeVisible();
  },
);

test('the handover lists a note since any moment, leads to it in the past, and the next one begins where it ended', async ({
  page,
  api,
  target,
}) => {
  const { vin } = (await readUnits(api, target.usdot)).find(({ coordinates }) => coordinates !== null)!;
  await page.goto(`/fleets/${target.usdot}`);
  await page.evaluate(
    ([usdot, unit]) =>
      fetch(`/api/fleets/${usdot}/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ unit, text: 'Brakes, at shop', expiresMs: null }),
      }),
    [target.usdot, vin],
  );
  await page.getByRole('link', { name: 'Handover' }).click();
  await expect(page.getByRole('heading', { name: /^What changed since (\w+ \d+, )?6:00 AM$/ })).toBeVisible();
  const read = page.getByRole('button', { name: 'I have read this' });
  await expect(read).toBeEnabled();
  // The demo has no users, and so no addresses.
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mail me this' })).toHaveCount(0);
  await page.getByRole('button', { name: '12 hours ago' }).click();
  await expect(page.getByRole('status').filter({ hasText: /^([A-Z][a-z ]+ \d+, )*Notes \d/ })).toBeAttached();
  const notes = page.getByRole('region', { name: 'What changed' }).getByRole('listitem');
  const line = notes.filter({ hasText: 'Brakes, at shop' });
  await expect(line.getByRole('link')).toHaveAccessibleDescription(/Brakes, at shop/);
  const heading = page.getByRole('region', { name: 'What changed' }).getByRole('heading', { name: /^Notes/ });
  expect((await line.boundingBox())!.x).toBe((await heading.boundingBox())!.x);
  await test.step('all of it is printed, without the bars around it', async () => {
    const { width, height } = page.viewportSize()!;
    await page.setViewportSize({ width, height: 120 });
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
    const last = await page.getByText('No truck drove for more than 8 hours.').boundingBox();
    const sheetPx = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(last!.y).toBeGreaterThan(120);
    expect(last!.y + last!.height).toBeLessThanOrEqual(sheetPx);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width, height });
  });
  await read.click();
  await expect(page.getByRole('button', { name: 'Your next handover begins here' })).toBeDisabled();
  await test.step('another answer, which the page has already, is not read with it', async () => {
    await page.getByRole('button', { name: '6:00 AM' }).click();
    await expect(read).toBeEnabled();
    await page.goBack();
  });
  await page.reload();
  await page.getByRole('button', { name: 'My last visit' }).click();
  await expect(page.getByText('No note was written.')).toBeVisible();
  await page.goBack();
  await line.getByRole('link').click();
  await expect(page).toHaveURL(/past=/);
  await expect(page.getByRole('complementary')).toBeVisible();
});
