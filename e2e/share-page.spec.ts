/** The page of a link: in each browser, on a phone without scripts, in three languages, on paper, while it is revoked and ends. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test, type TrackingApi } from './support/fixtures';
import { readUnits } from './support/api-unit';
import { LONG } from './support/long';
import { BROWSERS, openOtherBrowser } from './support/other-browsers';
import { sendAsPage } from './support/session';
import type { Target } from './support/target';

test.setTimeout(120_000);

const FIELDS = ['status', 'heading', 'window', 'stops', 'trail', 'truckNumber', 'driver'];
const DAY_MS = 86_400_000;

interface Link {
  id: string;
  link: string;
}

const made: { loads: number[]; ofTrucks: string[] } = { loads: [], ofTrucks: [] };

/** A change as a page of the application sends it. */
const send = async <T>(
  { application, usdot }: Target,
  path: string,
  body: object,
  method?: string,
): Promise<T> => {
  const response = await sendAsPage(
    application.url,
    `/api/fleets/${usdot}${path}`,
    body,
    application.cookie,
    method,
  );
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return (text === '' ? null : JSON.parse(text)) as T;
};

/** A load with a truck that drives, whose stops lie far from it, and a link to it. */
const makeLink = async (target: Target, api: TrackingApi, given: object = {}): Promise<Link> => {
  const units = (await readUnits(api, target.usdot)).filter(({ truckNumber }) => truckNumber !== null);
  const unit = units[made.loads.length]!;
  const stopAt = (kind: string, named: string, lat: number) => ({
    ...{ kind, siteId: null, place: { name: named, lat, lng: -96.8 } },
    appointment: { fromMs: Date.now() + DAY_MS, toMs: Date.now() + DAY_MS + 3_600_000 },
  });
  const { id } = await send<{ id: number }>(target, '/loads', {
    ...{ reference: `sp-${made.loads.length}`, po: '55-210', customer: 'Acme Foods', unit: unit.vin },
    stops: [stopAt('pickup', 'Northern mill, gate 4', 47.7), stopAt('delivery', 'Acme DC', 30.1)],
  });
  made.loads.push(id);
  return send<Link>(target, '/shares', {
    ...{ recipient: 'Acme', items: [{ loadId: id, unit: null, alias: '' }] },
    ...{ precision: 'exact', fields: FIELDS, delayMin: 0, endsMs: Date.now() + DAY_MS, endsOn: 'departure' },
    ...{ endsAtStop: null, endsAtSite: null, showsEnd: true, frameOrigins: [], ...given },
  });
};

test.afterEach(async ({ target }) => {
  for (const id of made.loads.splice(0)) await send(target, `/loads/${id}`, {}, 'DELETE');
  for (const id of made.ofTrucks.splice(0)) await send(target, `/shares/${id}`, {}, 'DELETE');
});

/** Runs in the page. Texts that are wider than their place, and targets that are too small for a finger. */
const findFaults = (): string[] => {
  const faults: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} wide`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent!.trim();
    if (text === '' || node.parentElement!.closest('script, style, noscript, svg')) continue;
    for (const word of text.matchAll(/\S+/g)) {
      const range = document.createRange();
      const from = node.textContent!.indexOf(word[0]);
      range.setStart(node, from);
      range.setEnd(node, from + word[0].length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) faults.push(`${word[0]} is cut`);
      for (const { left, right } of boxes)
        if (left < 0 || right > root.clientWidth + 0.5) faults.push(`${word[0]} is beyond the edge`);
    }
  }
  for (const link of document.querySelectorAll('a')) {
    const { width, height } = link.getBoundingClientRect();
    if (width < 44 || height < 44) faults.push(`${link.textContent} is ${width} × ${height}`);
  }
  return faults;
};

/** Runs in the page, which asks at once instead of after its 15 s. */
const askNow = (): void => void dispatchEvent(new Event('online'));

const expectNoViolation = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(
    violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join()}`),
  ).toEqual([]);
};

test(
  'a link opens without an account, keeps up to date, and is gone at once when it is revoked',
  LONG,
  async ({ browser, target, api }) => {
    const { application } = target;
    const { id, link } = await makeLink(target, api);
    const context = await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York' });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const response = (await page.goto(application.url + link))!;
    expect(Buffer.byteLength(await response.text())).toBeLessThan(60_000);
    await expect(page.getByRole('heading', { name: 'sp-0' })).toBeVisible();
    await expect(page.getByRole('img', { name: /^Map: .*Next stop: Northern mill, gate 4/ })).toBeVisible();
    // By the reader's own clock, as the script asks for it.
    await expect(page.getByText('Times by your clock: Eastern Time.')).toBeVisible();
    const age = page.locator('[data-age]').first();
    // The truck's next fix is the first one with the load.
    await expect(age).toBeVisible({ timeout: 90_000 });
    const before = await age.textContent();
    await expect(age).not.toHaveText(before!);
    expect(new Set(requested)).toEqual(new Set([link]));
    expect(await context.cookies()).toEqual([]);
    await expectNoViolation(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoViolation(page);

    const focused = page.getByRole('link', { name: 'Español' });
    await focused.focus();
    await send(target, `/shares/${id}`, {}, 'DELETE');
    await expect(async () => {
      await page.evaluate(askNow);
      await expect(page.getByRole('heading', { name: 'Nothing is shown here' })).toBeVisible({
        timeout: 500,
      });
    }).toPass();
    await expect(focused).toBeFocused();
    expect(await page.content()).not.toContain('sp-0');
    // The answer to the last request is a 404, which the console has as an error.
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
    await context.close();
  },
);

test(
  'a page says since when it has no connection, and goes on by itself',
  LONG,
  async ({ page, target, api }) => {
    const { link } = await makeLink(target, api);
    const openedMs = Date.now();
    // The clock of the phone is wrong by hours.
    await page.addInitScript(() => {
      const { now } = Date;
      Date.now = () => now() + 5 * 3_600_000;
    });
    await page.goto(target.application.url + link);
    const status = page.getByRole('status');
    await page.context().setOffline(true);
    await expect(status).toContainText(
      /^No connection since \d+:\d\d [AP]M\. Shown is what was known then\.$/,
    );
    const times = await page.evaluate(
      ([fromMs, toMs]) => {
        const minutes = Array.from(
          { length: Math.ceil((toMs! - fromMs!) / 60_000) + 1 },
          (_, i) => i * 60_000,
        );
        return minutes.map((ms) =>
          new Date(fromMs! + ms).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' }),
        );
      },
      [openedMs, Date.now()],
    );
    expect(times).toContain(/since (.*?)\. Shown/.exec((await status.textContent())!)![1]);
    await page.context().setOffline(false);
    await expect(status).toBeHidden();
  },
);

test('a phone without scripts has all of it, in three languages, without a cut word', async ({
  browser,
  target,
  api,
}) => {
  const { application } = target;
  const { link } = await makeLink(target, api);
  const context = await browser.newContext({
    ...{ javaScriptEnabled: false, viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    locale: 'es-US',
  });
  const page = await context.newPage();
  await page.goto(application.url + link);
  for (const [name, heading, language] of [
    ['Español', 'Paradas', 'es-US'],
    ['Français', 'Arrêts', 'fr-US'],
    ['English', 'Stops', 'en-US'],
  ]) {
    await page.getByRole('link', { name: name! }).click();
    await expect(page.getByRole('heading', { name: heading! })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', language!);
    await expect(page.getByText('Acme DC').first()).toBeVisible();
    expect(await page.evaluate(findFaults)).toEqual([]);
  }
  await expect(page.locator('noscript meta[http-equiv=refresh]')).toHaveCount(1);
  await context.close();
});

test('a page on paper has its map and no controls', async ({ page, target, api }) => {
  const { link } = await makeLink(target, api);
  await page.goto(target.application.url + link);
  for (const format of ['Letter', 'A4'] as const) {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('navigation')).toBeHidden();
    await expect(page.getByRole('img', { name: /^Map/ })).toBeVisible();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    expect(
      (await page.pdf({ format })).toString('latin1').match(/\/Type \/Page\b/g)!.length,
    ).toBeLessThanOrEqual(2);
  }
});

/** A link to a truck, which shows where it is from the beginning. */
const makeTruckLink = async (target: Target, api: TrackingApi): Promise<Link> => {
  const unit = (await readUnits(api, target.usdot)).find(({ truckNumber }) => truckNumber !== null)!;
  const link = await send<Link>(target, '/shares', {
    ...{ recipient: 'Anyone', items: [{ loadId: null, unit: unit.vin, alias: '' }], precision: 'exact' },
    ...{ fields: ['status', 'truckNumber'], delayMin: 0, endsMs: Date.now() + DAY_MS, endsOn: null },
    ...{ endsAtStop: null, endsAtSite: null, showsEnd: true, frameOrigins: [] },
  });
  made.ofTrucks.push(link.id);
  return link;
};

test('a page that has slept shows its age at once, and a screen reader goes on where it was', async ({
  page,
  target,
  api,
}) => {
  const { link } = await makeTruckLink(target, api);
  await page.goto(target.application.url + link);
  await expect(page.locator('[data-age]')).toHaveText(/^\d+\s(s|min) ago$/);
  // Runs in the page: all that a live region would say, and whether nodes stay the same.
  await page.evaluate(() => {
    const said: string[] = [];
    const live = [...document.querySelectorAll('[role=status], [role=alert], [aria-live]')];
    const observer = new MutationObserver(() => said.push(live.map((each) => each.textContent).join()));
    for (const each of live) observer.observe(each, { childList: true, characterData: true, subtree: true });
    Object.assign(window, { said, heading: document.querySelector('h1') });
  });
  await page.route('**/t/*', async (route) => {
    const headers = { ...route.request().headers() };
    delete headers['if-none-match'];
    const response = await route.fetch({ headers });
    await route.fulfill({ response, body: (await response.text()).replace('"eye">', '"eye">New: ') });
  });
  await page.evaluate(askNow);
  await expect(page.locator('.eye')).toHaveText(/^New: /);
  const after = await page.evaluate(() => {
    const { said, heading } = window as unknown as { said: string[]; heading: Element };
    // An hour in which nothing ran, and no answer yet.
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    document.dispatchEvent(new Event('visibilitychange'));
    const [age, status] = ['[data-age]', '[data-until]'].map(
      (each) => document.querySelector(each)!.textContent,
    );
    return { said, isSame: heading === document.querySelector('h1'), age, status };
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(after).toEqual({
    ...{ said: [], isSame: true, age: expect.stringMatching(/^1\sh ago$/) },
    status: expect.stringMatching(/^(Was moving at|Was stopped at|No news since|No signal since) /),
  });
});

for (const name of BROWSERS)
  test(
    `${name} shows a page that ends with its load`,
    name === 'chromium' ? {} : LONG,
    async ({ target, api }) => {
      const { application } = target;
      const { link } = await makeLink(target, api);
      const [id] = made.loads;
      const browser = await openOtherBrowser(name, { width: 390, height: 844, isDark: true, isTouch: false });
      try {
        await browser.open(application.url + link);
        await browser.see('h1', 'sp-0');
        await browser.see('svg[role=img]', 'Next stop: Northern mill, gate 4');
        expect(await browser.evaluate(findFaults)).toEqual([]);
        await send(target, `/loads/${id}/end`, {});
        await browser.waitFor('the end', () => {
          dispatchEvent(new Event('online'));
          return document.querySelector('h1')?.textContent === 'This has ended';
        });
        expect(await browser.evaluate(() => document.documentElement.innerHTML.includes('Acme DC'))).toBe(
          false,
        );
        // A screen reader says so too.
        await browser.see('[role=status]', 'This has ended');
        expect((await browser.readErrors()).filter((error) => !/410|Gone/.test(error))).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
