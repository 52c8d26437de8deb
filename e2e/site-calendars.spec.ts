/** Calendars of a site's expected arrivals: made, copied again, changed and revoked, and read without an account. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { DIALOG, PHONE, expectAccessible, expectAccessibleLayouts } from './support/axe';
import { LONG } from './support/long';
import { OTHER_BROWSERS, openOtherBrowser } from './support/other-browsers';
import { sendAsPage } from './support/session';
import type { Target } from './support/target';
import { parseICalendar } from '@/testing/shares/parse-icalendar';

test.setTimeout(240_000);

interface Site {
  id: number;
  name: string;
}

const calendarsPath = ({ usdot }: Target): string => `/api/fleets/${usdot}/calendars`;

const read = async <T>({ application }: Target, path: string): Promise<T> =>
  (await (await application.fetch(path)).json()) as T;

const send = ({ application }: Target, path: string, body: object = {}, method = 'POST'): Promise<Response> =>
  sendAsPage(application.url, path, body, application.cookie, method);

const SITE = 'Calendar dock';
let site: Site;

const sitesPath = ({ usdot }: Target): string => `/api/fleets/${usdot}/sites`;

test.beforeEach(async ({ target }) => {
  const made = await send(target, sitesPath(target), {
    ...{ name: SITE, kind: 'yard', color: '#336699', notes: '', openingHours: null, marginM: 75 },
    shape: { type: 'circle', lat: 41.88, lng: -87.64, radiusM: 450 },
  });
  site = { id: ((await made.json()) as { id: number }).id, name: SITE };
});

const readOpen = async (target: Target) =>
  (
    await read<{ calendars: { id: string; recipient: string; state: string; endsMs: number | null }[] }>(
      target,
      calendarsPath(target),
    )
  ).calendars.filter(({ state }) => state === 'open');

test.afterEach(async ({ target }) => {
  // Its calendars go with it.
  await send(target, `${sitesPath(target)}/${site.id}`, {}, 'DELETE');
});

const openMaking = async (page: Page, { usdot }: Target, { id, name }: Site): Promise<void> => {
  await page.goto(`/fleets/${usdot}/sites/${id}`);
  await page.getByRole('button', { name: 'Make a calendar' }).press('Enter');
  await expect(page.getByRole('dialog', { name: `Calendar of arrivals at ${name}` })).toBeVisible();
};

test('a calendar is made by keyboard, read without an account, changed and revoked', async ({
  page,
  target,
}) => {
  await openMaking(page, target, site);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Who it is for')).toBeFocused();
  await page.keyboard.type('Dock office');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Calendar made' })).toBeVisible();
  const address = await dialog.getByLabel('Address').inputValue();
  const readFile = async (): Promise<string | undefined> => {
    const response = await fetch(address);
    return response.ok ? parseICalendar(await response.text()).name : `${response.status}`;
  };
  expect(await readFile()).toBe(`Arrivals at ${site.name}`);
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Make a calendar' })).toBeFocused();

  const change = page.getByRole('button', { name: 'Change the calendar for Dock office' });
  await change.press('Enter');
  await dialog.getByLabel('Language').selectOption('Spanish');
  await dialog.getByLabel('Ends').selectOption('In 7 days');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(readFile).toBe(`Llegadas a ${site.name}`);
  expect((await readOpen(target))[0]!.endsMs).toBeGreaterThan(Date.now());

  await page.getByRole('button', { name: 'Revoke the calendar for Dock office' }).press('Enter');
  await dialog.getByRole('button', { name: 'Revoke' }).press('Enter');
  await expect(change).toBeHidden();
  await expect.poll(readFile).toBe('404');
});

test(
  'a calendar stands among the links, is copied again, and says how often it was read; each screen is accessible',
  LONG,
  async ({ page, context, target }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openMaking(page, target, site);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make and copy' }).click();
    await expect(dialog).toContainText('Say who it is for.');
    await dialog.getByLabel('Who it is for').fill('Dock office');
    await dialog.getByLabel('Ends').selectOption('At a time…');
    await dialog.getByLabel('Time', { exact: true }).fill('2020-01-01 8a');
    await dialog.getByRole('button', { name: 'Make and copy' }).click();
    await expect(dialog).toContainText('This time has passed.');
    await expectAccessible(page, DIALOG);
    await dialog.getByLabel('Time', { exact: true }).fill('tomorrow 5p');
    await dialog.getByLabel('Show truck numbers').check();
    await dialog.getByRole('button', { name: 'Make and copy' }).click();
    await expect(page.getByRole('dialog', { name: 'Calendar made' })).toContainText('Its address is copied.');
    const address = await page.evaluate(() => navigator.clipboard.readText());
    await expectAccessible(page, DIALOG);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expectAccessibleLayouts(page);
    for (let i = 0; i < 3; i++)
      expect((await fetch(address)).headers.get('content-type')).toMatch(/calendar/);

    await page.goto(`/fleets/${target.usdot}/links?q=dock`);
    const list = page.getByRole('region', { name: 'Links' });
    await expect(list).toContainText(`Arrivals at ${site.name}`);
    await expect(list).toContainText('Calendar · English · truck numbers');
    await expect(list).toContainText(/until \w{3} \d+, 5:00 PM/);
    await expect(list).toContainText('3 times', { timeout: 60_000 });
    await expectAccessibleLayouts(page);
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await list.getByRole('button', { name: 'Copy the calendar for Dock office' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    await page.evaluate(() => {
      Reflect.deleteProperty(Navigator.prototype, 'clipboard');
      document.execCommand = () => false;
    });
    await list.getByRole('button', { name: 'Copy the calendar for Dock office' }).click();
    await expect(page.getByRole('dialog', { name: 'Copy the address by hand' })).toBeVisible();
    await expect(dialog.getByLabel('Address')).toHaveValue(address);
    await page.keyboard.press('Escape');
    await page.setViewportSize(PHONE);
    await list.getByRole('link', { name: 'Dock office' }).click();
    await expect(page.getByRole('heading', { name: site.name, level: 1 })).toBeVisible();
    // On a phone, the page of the site has what can be done with it.
    await page.getByRole('button', { name: 'Revoke the calendar for Dock office' }).click();
    await expectAccessible(page, DIALOG);
  },
);

for (const name of OTHER_BROWSERS)
  test(`${name} makes a calendar, and changes it`, LONG, async ({ target }) => {
    const browser = await openOtherBrowser(name);
    try {
      await browser.open(`${target.application.url}/fleets/${target.usdot}/sites/${site.id}`);
      await browser.click('button', 'Make a calendar');
      await browser.waitFor(
        'the first field',
        () => document.activeElement?.getAttribute('name') === 'recipient',
      );
      await browser.type('Dock office');
      await browser.press(['Enter']);
      await browser.see('[role=dialog] h2', 'Calendar made');
      const url = await browser.evaluate(
        () => document.querySelector<HTMLInputElement>('[role=dialog] input')?.value ?? '',
      );
      expect((await fetch(url)).status).toBe(200);
      await browser.click('[role=dialog] button', 'Done');
      await browser.click('button', 'Change the calendar for Dock office');
      await browser.click('[role=dialog] label', 'Show truck numbers');
      await browser.click('[role=dialog] button', 'Save');
      await browser.waitFor('the end of the dialog', () => document.querySelector('[role=dialog]') === null);
      expect(await browser.readErrors()).toEqual([]);
    } finally {
      await browser.close();
    }
  });
