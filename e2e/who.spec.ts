/** Who was here: an area drawn by mouse, and one by keyboard alone, with the visits of a made day. */
import { readFileSync } from 'node:fs';
import { addDays, dayOf, dayRange } from '@/lib/trips/days';
import { readUnits } from './support/api-unit';
import { PHONE } from './support/axe';
import { expect, test } from './support/fixtures';
import { LONG } from './support/long';
import { addSite } from './support/sites';
import { insertRecordedDay } from './support/recorded-day';
import type { Page } from '@playwright/test';
import type { Target } from './support/target';

/** A truck that stands in Wheeling, WV for 70 minutes; on a day of which no other test has a recording. */
const recordDay = async (page: Page, { usdot, application }: Target, vin: string): Promise<string> => {
  await page.goto(`/fleets/${usdot}`);
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const day = addDays(dayOf(Date.now(), zone), -10);
  const dayMs = dayRange(day, zone).fromMs;
  await insertRecordedDay(application.databaseUrl, { usdot, unit: vin, dayMs });
  return `/fleets/${usdot}/history?question=who&from=${day}&to=${day}`;
};

const visits = (page: Page) => page.getByRole('region', { name: 'Visits' }).getByRole('button');
const map = (page: Page) => page.getByRole('region', { name: 'Map of the area' });

test('an area drawn by mouse has its visits, their trails and a way to the day', async ({
  page,
  api,
  target,
}) => {
  const units = await readUnits(api, target.usdot);
  const { vin, truckNumber } = units.filter(({ coordinates }) => coordinates !== null)[2]!;
  const path = await recordDay(page, target, vin);
  await page.goto(`${path}&area=circle:40.064,-80.7209,5000`);
  const visit = visits(page).filter({ hasText: truckNumber! });
  await expect(visit).toHaveText(
    /1 h \d\d m to 1 h \d\d m.*Arrived 6:0\d AM–6:\d\d AM, left 7:2\d AM–7:\d\d AM.*fixes inside$/,
  );
  await expect(page.getByText('8:00 PM to 9:30 PM: Linehaul was not running')).toBeVisible();

  // The range may begin and end within its days.
  await page.getByLabel('Last day until').fill('06:00');
  await expect(page.getByText('No truck was seen here.')).toBeVisible();
  await page.getByLabel('Last day until').fill('07:00');
  await expect(visit).toContainText(/Arrived 6:0\d AM–6:\d\d AM, inside at the end/);
  await page.getByLabel('Last day until').fill('');
  await expect(visit).toContainText('left 7:');

  const circle = page.url();
  await page.getByRole('button', { name: 'Rectangle' }).click();
  const { x, y, width, height } = (await map(page).boundingBox())!;
  await page.mouse.move(x + width / 2 - 90, y + height / 2 - 60);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 90, y + height / 2 + 60, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/&area=rectangle:40\.0\d+,-80\.7\d+,40\.0\d+,-80\.[67]\d+$/);
  await expect(visit).toContainText('fixes inside');

  await visit.click();
  await expect(map(page)).toHaveAttribute('data-shown-moment', /T/);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect(readFileSync(await (await saved).path(), 'utf8')).toContain(`,${vin},`);
  await page.getByRole('link', { name: /^Show its day at/ }).click();
  await expect(page.getByRole('slider', { name: 'Moment of the day' })).toHaveAttribute(
    'aria-valuetext',
    /Wheeling, WV/,
  );
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(circle);
});

test('who was at a yard on a day takes 2 clicks and a day from the page of the yard, and can be about one truck', async ({
  page,
  api,
  target,
}) => {
  const units = (await readUnits(api, target.usdot)).filter(({ coordinates }) => coordinates !== null);
  const { vin, truckNumber } = units[4]!;
  const path = await recordDay(page, target, vin);
  const shape = { type: 'circle', lat: 40.064, lng: -80.7209, radiusM: 5000 } as const;
  const id = await addSite(target, 'Wheeling yard', shape);
  await page.goto(`/fleets/${target.usdot}/sites/${id}`);
  await page.getByRole('link', { name: 'Who was here?' }).click();
  await expect(page.getByLabel('Site', { exact: true })).toHaveValue(String(id));
  const day = /from=([\d-]+)/.exec(path)![1]!;
  await page.getByLabel('From', { exact: true }).fill(day);
  await page.getByLabel('to', { exact: true }).fill(day);
  await expect(page).toHaveURL(new RegExp(`site=${id}`));
  const visit = visits(page).filter({ hasText: truckNumber! });
  await expect(visit).toContainText('Arrived 6:');
  // On a phone on its side the answer is in view, upright it is above the map. Another test may have had a truck here.
  for (const phone of [{ width: 844, height: 390 }, PHONE]) {
    await page.setViewportSize(phone);
    await expect(visits(page).first()).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 1600, height: 900 });

  const truck = page.getByPlaceholder('All trucks');
  await truck.fill(units[5]!.truckNumber!);
  await expect(page.locator('[role=option]').first()).toContainText(units[5]!.truckNumber!);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No truck was seen here.')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`unit=${units[5]!.vin}`));
});

test('an area is chosen by keyboard alone, on a phone too', LONG, async ({ page, api, target }) => {
  const units = await readUnits(api, target.usdot);
  const { vin, truckNumber } = units.filter(({ coordinates }) => coordinates !== null)[3]!;
  await page.setViewportSize(PHONE);
  await page.goto(await recordDay(page, target, vin));
  await expect(page.getByText('Choose a site or an area.')).toBeVisible();
  await page.getByRole('button', { name: 'Circle' }).press('Enter');
  await expect(page.getByText('Drag from the center outward.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Drag from the center outward.')).toBeHidden();

  await page.getByRole('button', { name: 'Enter numbers instead' }).press('Enter');
  await expect(page.getByRole('spinbutton', { name: 'Latitude' })).toBeFocused();
  await page.keyboard.type('36');
  await page.keyboard.press('Tab');
  await expect(page).toHaveURL(/&area=circle:36,/);
  await expect(page.getByRole('spinbutton', { name: 'Longitude' })).toBeFocused();

  await page
    .getByRole('textbox', { name: 'Town' })
    .or(page.getByRole('combobox', { name: 'Town' }))
    .focus();
  await page.keyboard.type('Wheeling, W');
  await expect(page.locator('datalist option')).toHaveAttribute('value', 'Wheeling, WV');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/&area=circle:40\.06\d*,-80\.72\d*,\d+$/);
  const radius = page.getByRole('spinbutton', { name: 'Radius, mi' });
  await radius.focus();
  await radius.press('ControlOrMeta+a');
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/,6437$/);
  const visit = visits(page).filter({ hasText: truckNumber! });
  await page.route('**/trail?*', (route) => route.fulfill({ status: 400 }));
  await visit.press('Enter');
  await expect(visit).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('The trail could not be loaded: ')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Show its day at/ })).toBeVisible();

  await radius.focus();
  await radius.press('ControlOrMeta+a');
  await page.keyboard.type('9999');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'radius' })).toHaveText(
    'Choose a radius from 20 m to 500 km.',
  );
});
