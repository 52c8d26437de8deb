import { readFileSync } from 'node:fs';
import { addDays, dayOf, dayRange } from '@/lib/trips/days';
import { readUnits } from './support/api-unit';
import { PHONE } from './support/axe';
import { expect, test } from './support/fixtures';
import { LONG } from './support/long';
import { insertRecordedDay } from './support/recorded-day';
import type { Page } from '@playwright/test';

interface OpenedDay {
  path: string;
  day: string;
}

/** Opens a made day of a unit: that before yesterday, because the demo has a recorded past of 24 hours. */
const openDay = async (
  page: Page,
  { usdot, databaseUrl, vin }: { usdot: string; databaseUrl: string; vin: string },
): Promise<OpenedDay> => {
  const path = `/fleets/${usdot}/units/${vin}`;
  await page.goto(`${path}?view=day`);
  const zone = (await page.locator('[data-zone]').getAttribute('data-zone'))!;
  // That of the browser, wherever the truck is.
  expect(zone).toBe('America/Chicago');
  const day = addDays(dayOf(Date.now(), zone), -2);
  await insertRecordedDay(databaseUrl, { usdot, unit: vin, dayMs: dayRange(day, zone).fromMs });
  await page.goto(`${path}?view=day&day=${day}`);
  return { path, day };
};

const slider = (page: Page) => page.getByRole('slider', { name: 'Moment of the day' });
const current = (page: Page) => page.locator('[aria-current="true"]');
const shown = (page: Page) =>
  page.getByRole('region', { name: 'Map of the whole day' }).getAttribute('data-shown-moment');

test('a vehicle’s day has its trips, stops and gaps on bar, list and map, by mouse', async ({
  page,
  api,
  target,
}) => {
  const units = await readUnits(api, target.usdot);
  const vin = units.find(({ coordinates }) => coordinates !== null)!.vin;
  const { usdot, application } = target;
  const { day } = await openDay(page, { usdot, databaseUrl: application.databaseUrl, vin });

  const list = page.getByRole('region', { name: 'Trips and stops' }).getByRole('button');
  await expect(list).toHaveText(
    [
      /^12:00 AMStopped 1 · .*left 5:12 AM5 h 12 m$/,
      /^5:12 AMDrove · 46 mi to .*46 mph average, 61 fixes1 h 00 m$/,
      /^6:12 AMStopped 2 · .*arrived 6:12 AM, left 7:22 AM1 h 10 m$/,
      /^7:22 AMDrove · /,
      /^8:22 AMTruck silent · .* bridged by a straight linethen 9:04 AM, .*42 min$/,
      /^9:04 AMDrove · /,
      /^9:16 AMStopped 3 · /,
      /^1:06 PMDrove · /,
      /^2:06 PMThe provider failed.*44 min$/,
      /^2:50 PMStopped 4 · /,
      /^5:00 PMThe database was away.*40 min$/,
      /^5:40 PMStopped 4 · /,
      /^8:00 PMLinehaul was not running.*1 h 30 m$/,
      /^9:30 PMStopped 4 · still at .*2 h 30 m$/,
    ],
    { useInnerText: false },
  );
  const figures = page.getByRole('main').locator('dl').first();
  await expect(figures).toContainText(/Miles, at least\d+ mi\+ \d+ mi over gaps/);
  await expect(figures).toContainText('Not known3 h 36 m');
  await expect(page.getByRole('region', { name: 'Map of the whole day' })).toHaveAttribute(
    'data-trail-gaps',
    /Truck silent for 42 min; The provider failed for 44 min; The database was away for 40 min; Linehaul was not running for 1 h 30 m/,
  );

  // The pointer over the bar highlights the same moment in the list and on the map.
  const { x, y, width, height } = (await slider(page).boundingBox())!;
  await page.mouse.move(x + (width * 8.7) / 24, y + height / 2);
  await expect(current(page)).toContainText('Truck silent');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /Truck silent · position on a straight line/);
  // And an entry of the list highlights it on the bar and the map, until it is left.
  await list.nth(2).hover();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /^stopped · fix 0 s before/);
  const overStop = await shown(page);
  await list.nth(1).click();
  await expect(page).toHaveURL(new RegExp(`view=day&day=${day}&at=05:12:00`));
  expect(await shown(page)).not.toBe(overStop);

  // Another truck beside it, found by its number, on the same axis.
  const other = units.find((each) => each.coordinates !== null && each.vin !== vin && each.truckNumber)!;
  await page.getByRole('button', { name: 'Compare…' }).click();
  await page.getByRole('searchbox', { name: 'Truck to compare with' }).fill(other.truckNumber!);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`day=${day}&with=${other.vin}&at=05:12:00`));
  const compared = page.getByRole('list', { name: 'Compared trucks' });
  await expect(compared).toContainText(`Truck ${other.truckNumber}at least 0 mi`);
  const comparedBar = compared.getByRole('listitem').locator('> div').last();
  await expect(comparedBar).toHaveCSS('height', '18px');
  await expect(comparedBar.locator('[data-kind="notRecorded"]').first()).toHaveCSS('height', '12px');
  await expect(page.getByText(/^times in C[SD]T, your time zone/)).not.toContainText('the truck');
  await compared.getByRole('button', { name: /^Remove/ }).click();
  await expect(compared).toBeHidden();

  // The trail as a file, in which each gap begins a segment.
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^GPX/ }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^linehaul-\\w+-${day}\\.gpx$`));
  expect(readFileSync(await file.path(), 'utf8').match(/<trkseg>/g)).toHaveLength(5);

  // The calendar marks the recorded days, and a day is a step back.
  await page.getByRole('button', { name: 'Day before' }).click();
  await expect(page).toHaveURL(new RegExp(`day=${addDays(day, -1)}$`));
  await expect(page.getByRole('region', { name: 'Trips and stops' })).toContainText(
    'The recording had not begun',
  );
  await page.goBack();
  await expect(list.first()).toContainText('Stopped 1');
  await page.getByRole('button', { name: /^[A-Z][a-z]{2}, / }).click();
  await expect(page.getByRole('button', { name: /, recorded$/ }).first()).toBeVisible();
  await page.keyboard.press('Escape');
});

test(
  'a vehicle’s day is studied and played by keyboard alone, on a phone too',
  LONG,
  async ({ page, api, target }) => {
    const units = await readUnits(api, target.usdot);
    const vin = units.filter(({ coordinates }) => coordinates !== null)[1]!.vin;
    const { usdot, application } = target;
    const { path, day } = await openDay(page, { usdot, databaseUrl: application.databaseUrl, vin });
    await page.goto(`${path}?view=day&day=${day}&at=05:20:30&speed=600`);
    await expect(slider(page)).toHaveAttribute('aria-valuetext', /46 mph \w+ · fix 30 s before/);

    await slider(page).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/at=05:21:00&speed=600$/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(page).toHaveURL(/at=05:19:00&speed=600$/);
    await page.keyboard.press('PageUp');
    await expect(current(page)).toContainText('Stopped 2');
    await page.keyboard.press('Home');
    await expect(current(page)).toContainText('Stopped 1');
    await page.keyboard.press('Tab');
    await expect(
      page.getByRole('region', { name: 'Trips and stops' }).getByRole('button').first(),
    ).toBeFocused();

    await page.keyboard.press('Tab');
    await expect(slider(page)).toHaveAttribute('aria-valuetext', /46 mph/);
    // The step is from the entry that the focus shows.
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/at=05:13:00&speed=600$/);
    await page.keyboard.press('Enter');
    await slider(page).focus();
    await page.keyboard.press(' ');
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect(current(page)).toContainText('Stopped 2');
    await page.keyboard.press(' ');
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();

    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Fix after' }).click();
    await expect(page.getByRole('region', { name: 'Trips and stops' })).toBeVisible();
    for (const control of ['Range', 'Speed']) {
      const { x, width } = (await page.getByRole('combobox', { name: control }).boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(PHONE.width);
    }

    await page.getByRole('combobox', { name: 'Range' }).selectOption('2 days');
    await expect(page).toHaveURL(new RegExp(`day=${day}&days=2`));
    const labels = slider(page).locator('xpath=following-sibling::div[@aria-hidden]').locator('span:visible');
    await expect(labels).toHaveText([/^[A-Z][a-z]{2} \d+$/, '12 PM', /^[A-Z][a-z]{2} \d+$/, '12 PM']);
    const after = (await page.getByRole('button', { name: 'Day after' }).boundingBox())!;
    expect(after.x + after.width).toBeLessThanOrEqual(PHONE.width);
    await expect(
      page.getByRole('region', { name: 'Trips and stops' }).getByText(/^[A-Z][a-z]+day, /),
    ).toHaveCount(2);

    // Back to the live view at the same address, which the day's moment, still to be written, does not take back.
    await page.getByRole('button', { name: 'Fix after' }).click();
    await page.getByRole('link', { name: 'Live' }).evaluate((link) => {
      (link as HTMLElement).click();
      const end = performance.now() + 1000;
      while (performance.now() < end);
    });
    await expect(page).toHaveURL(path);
    await expect(page.getByText('Coordinates')).toBeVisible();
  },
);

test('the live map shows the tails of all trucks in view', LONG, async ({ page, target }) => {
  await page.goto(`/fleets/${target.usdot}`);
  await page.getByRole('button', { name: 'Tails' }).click();
  await page.getByRole('menuitemradio', { name: '1 h' }).click();
  await expect(page).toHaveURL(/tails=60/);
  const map = page.getByRole('region', { name: 'Map of the fleet' });
  await expect(map).toHaveAttribute('data-tail-lines', /^[1-9]/);
});

/** Run in the page: a browser that refuses more than 100 changes of the address in 30 s, as Safari did. */
const refuseLikeSafari = (): void => {
  const times: number[] = [];
  for (const how of ['pushState', 'replaceState'] as const) {
    const change = History.prototype[how];
    History.prototype[how] = function (...input) {
      const nowMs = performance.now();
      while (times.length > 0 && nowMs - times[0]! > 30_000) times.shift();
      if (times.push(nowMs) > 100) throw new DOMException('The operation is insecure.', 'SecurityError');
      change.apply(this, input);
    };
  }
};

test(
  'keys that are held change the address no more often than a browser allows',
  LONG,
  async ({ page, api, target }) => {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => void errors.push(message));
    await page.addInitScript(refuseLikeSafari);
    const units = await readUnits(api, target.usdot);
    const vin = units.find(({ coordinates }) => coordinates !== null)!.vin;
    await page.goto(`/fleets/${target.usdot}/units/${vin}?view=day`);
    const before = page.getByRole('button', { name: 'Day before' });
    await before.focus();
    for (let press = 0; press < 150; press += 1) await page.keyboard.press('Enter');
    const zone = (await page.locator('[data-zone]').getAttribute('data-zone'))!;
    const today = dayOf(Date.now(), zone);
    const shownDay = () => new URL(page.url()).searchParams.get('day');
    await expect.poll(shownDay).toBe(addDays(today, -150));
    await page.goto(`/fleets/${target.usdot}`);
    await page.getByRole('option').first().click();
    for (let press = 0; press < 150; press += 1) await page.keyboard.press('ArrowDown');
    const selected = page.getByRole('option', { selected: true });
    await expect(selected).toBeVisible();
    expect(errors).toEqual([]);
  },
);
