import type { Page } from '@playwright/test';
import { toMercatorX, toMercatorY, worldSizePx } from '@/lib/geo/projection';
import { readUnits } from './support/api-unit';
import { expect, test } from './support/fixtures';
import { createFleetPage, pill } from './support/fleet-page';
import { LONG } from './support/long';

const paramOf = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

/** The map's center and zoom by the address: latitude, longitude, zoom. */
const readPlace = (page: Page): number[] =>
  (paramOf(page, 'at') ?? '').replace('@', '').split(',').map(Number);

const DOTS = 'path[stroke^="var(--lh-"][d$="h0"]';

/** Where the HTML's dots are on the screen, relative to the middle of the map. */
const readDots = (page: Page): Promise<{ x: number; y: number }[]> =>
  page.getByRole('region', { name: 'Map', exact: true }).evaluate((map, dots) => {
    const { left, top, width, height } = map.getBoundingClientRect();
    return [...map.querySelectorAll<SVGPathElement>(dots)].flatMap((path) => {
      const toScreen = path.getScreenCTM()!;
      let [x, y] = [0, 0];
      return [...path.getAttribute('d')!.matchAll(/m(-?\d+) (-?\d+)/g)].map(([, dx, dy]) => {
        [x, y] = [x + Number(dx), y + Number(dy)];
        const at = new DOMPoint(x, y).matrixTransform(toScreen);
        return { x: at.x - left - width / 2, y: at.y - top - height / 2 };
      });
    });
  }, DOTS);

test('the HTML draws a dot for each unit, where the map draws it', async ({ page, api, target }) => {
  const path = `/fleets/${target.usdot}`;
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**/api${path}/live`, async (route) => {
    await held;
    await route.continue();
  });
  for (const search of ['', '?at=@39,-97,5']) {
    // A page does not wait long for the fleet, and a new demo's reports come in its first seconds.
    await expect(async () => {
      await page.goto(`${path}${search}`);
      const units = (await readUnits(api, target.usdot)).flatMap(({ coordinates }) => coordinates ?? []);
      await expect.poll(() => paramOf(page, 'at')).not.toBeNull();
      const [lat, lng, zoom] = readPlace(page) as [number, number, number];
      const places = units.map((unit) => ({
        x: (toMercatorX(unit.lng) - toMercatorX(lng)) * worldSizePx(zoom),
        y: (toMercatorY(unit.lat) - toMercatorY(lat)) * worldSizePx(zoom),
      }));
      const dots = await readDots(page);
      const right = dots.filter(({ x, y }) => places.some((at) => Math.hypot(at.x - x, at.y - y) < 8));
      expect(dots.length).toBeGreaterThan(units.length / 2);
      expect(right.length).toBeGreaterThan(0.95 * dots.length);
    }).toPass();
  }
  // Until the first live answer the HTML is what is shown, and grows older.
  await expect(pill(page)).toContainText(/Live · [3-9] s ago/);
  answer();
  await expect.poll(async () => (await createFleetPage(page).readDrawn()).units).toBeGreaterThan(100);
  await expect(page.locator(DOTS).first()).toBeHidden();
});

/** Runs in the page. Compressed bytes of all scripts that it loaded, from the browser's cache too. */
const readScriptBytes = () =>
  (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);

test('the live map on a phone, with all that loads by itself after it, needs at most 240 KB of script, and one style sheet', async ({
  page,
  target,
}) => {
  await page.setViewportSize({ width: 412, height: 823 });
  // The code that watches the alerts is the last that loads by itself.
  const alerts = page.waitForResponse(/\/alerts(\?|$)/);
  const html = await (await page.goto(`/fleets/${target.usdot}`))?.text();
  await expect.poll(async () => (await createFleetPage(page).readDrawn()).units).toBeGreaterThan(0);
  await alerts;
  const scriptBytes = await page.evaluate(readScriptBytes);
  expect(scriptBytes).toBeGreaterThan(100_000);
  expect(scriptBytes).toBeLessThanOrEqual(240_000);
  // The document names what holds its drawing back; the browser does not say it of a sheet that it has in its cache.
  expect(html?.match(/<link[^>]*rel="stylesheet"/g)).toHaveLength(1);
  // Chromium compiles such scripts beside the page's thread.
  const scripts = [...(html?.matchAll(/<script[^>]* src="([^"]+)"/g) ?? [])];
  expect(scripts.length).toBeGreaterThan(2);
  for (const [, path] of scripts)
    expect(await (await page.request.get(path!)).text()).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
});

test('a reload keeps the selection, search, filters, order, columns and view of the map', async ({
  page,
  api,
  target,
}) => {
  const fleet = createFleetPage(page);
  const [unit] = (await readUnits(api, target.usdot)).filter(({ make }) => make === 'Freightliner');
  await fleet.open(target.usdot, '?at=@39,-97,5z');
  await fleet.search.fill('freightliner');
  await fleet.counter('Moving').click();
  await fleet.counter('Stopped').click();
  await fleet.order.click();
  await page.getByRole('menuitemradio', { name: 'Truck number' }).click();
  await fleet.order.click();
  await page.getByRole('menuitemcheckbox', { name: 'VIN', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Year, make, model' }).click();
  await page.keyboard.press('Escape');
  await fleet.inView.click();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => readPlace(page)[2]).toBe(6);
  await fleet.options.first().click();
  const heading = fleet.panel.getByRole('heading', { level: 2 });
  const name = (await heading.textContent()) ?? '';
  await expect.poll(() => paramOf(page, 'unit')).not.toBeNull();
  expect(unit).toBeDefined();
  // The map may still be moving the unit out from under the panel.
  let before = '';
  await expect(async () => {
    const now = page.url();
    const isSettled = now === before;
    before = now;
    expect(isSettled).toBe(true);
  }).toPass({ intervals: [1000] });

  await page.reload();
  await expect(heading).toHaveText(name);
  await expect(fleet.search).toHaveValue('freightliner');
  await expect(fleet.counter('Moving')).toHaveAttribute('aria-pressed', 'true');
  await expect(fleet.counter('Stopped')).toHaveAttribute('aria-pressed', 'true');
  await expect(fleet.counter('Late')).toHaveAttribute('aria-pressed', 'false');
  await expect(fleet.order).toHaveAccessibleName('Order and columns: Truck number');
  await expect(fleet.options.first()).toContainText(/[0-9A-Z]{17} · 20\d\d Freightliner/);
  await expect(fleet.inView).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await fleet.readDrawn()).selectedAt).not.toBeNull();
  await expect(page).toHaveURL(before);
});

test('Back undoes a selection, and Forward restores it', async ({ page, target }) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, '?status=moving&sort=truck');
  await fleet.options.nth(0).click();
  const heading = fleet.panel.getByRole('heading', { level: 2 });
  const first = (await heading.textContent()) ?? '';
  await fleet.options.nth(1).click();
  await expect(heading).not.toHaveText(first);
  const second = (await heading.textContent()) ?? '';

  await page.goBack();
  await expect(heading).toHaveText(first);
  await page.goBack();
  await expect(fleet.panel).toBeHidden();
  await expect(fleet.selectedOption).toHaveCount(0);
  await expect(fleet.counter('Moving')).toHaveAttribute('aria-pressed', 'true');

  await page.goForward();
  await expect(heading).toHaveText(first);
  await page.goForward();
  await expect(heading).toHaveText(second);

  // Back takes effect even before the router has registered the step.
  await page.goBack();
  await expect(heading).toHaveText(first);
  const unit = paramOf(page, 'unit');
  await fleet.options.nth(1).evaluate((option) => {
    (option as HTMLElement).click();
    window.history.back();
  });
  await expect.poll(() => paramOf(page, 'unit')).toBe(unit);
  await expect(heading).toHaveText(first);
});

test('a link that is followed while the map still moves is not lost', LONG, async ({ page, target }) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, '?at=@39,-97,5z');
  // The next page takes longer than the delay after which the map's view is written.
  await page.route(/\/help\?.*_rsc=/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByRole('link', { name: 'Help' }).click();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(page).toHaveURL('/help');
});

test('other pages of the fleet cover the map, which is there again at once and as it was left', async ({
  page,
  target,
}) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, '?at=@39,-97,5.5z');
  const canvas = await fleet.canvas.elementHandle();
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    requests.push(pathname + search);
  });
  const roster = page.getByRole('link', { name: 'Roster' });
  const opened = page.context().waitForEvent('page');
  await roster.click({ modifiers: ['ControlOrMeta'] });
  await (await opened).close();
  await roster.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Roster');
  await expect(page).toHaveTitle('Roster · Linehaul');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Live map of USDOT ${target.usdot}`);
  await expect(page).toHaveTitle(`USDOT ${target.usdot} · Linehaul`);
  expect(readPlace(page)).toEqual([39, -97, 5.5]);
  // Keys of the map do nothing on a page that covers it.
  await expect(fleet.panel).toBeHidden();

  await page.goBack();
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('link', { name: 'On the map' }).click();
  await expect(fleet.panel).toBeVisible();
  expect(await canvas!.evaluate((element) => element.isConnected)).toBe(true);
  const live = `/api/fleets/${target.usdot}/live`;
  await expect.poll(() => requests.some((path) => path.startsWith(`${live}?since=`))).toBe(true);
  expect(requests.filter((path) => path === live || path.startsWith(`/fleets/${target.usdot}?`))).toEqual([]);

  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => readPlace(page)[2]).toBeGreaterThan(5.5);
  for (const at of ['units', 'roster', 'fleets']) {
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`/${at}[^/]*/[^/]+$|/${at}$`));
  }
  await expect.poll(() => readPlace(page)).toEqual([39, -97, 5.5]);

  // Back within the map takes the map itself along, not the address alone.
  await fleet.options.nth(0).click();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => readPlace(page)[2]).toBe(7);
  await fleet.options.nth(1).click();
  await page.goBack();
  await page.goBack();
  await expect(fleet.panel).toBeHidden();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(() => readPlace(page)[2]).toBe(5);
});

test('invalid values are removed from the address, and valid ones stay', async ({ page, target }) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, '?status=moving,flying&sort=sideways&in=space&at=@99,-97,5z&q=volvo&x=1');
  await expect(fleet.search).toHaveValue('volvo');
  await expect(fleet.counter('Moving')).toHaveAttribute('aria-pressed', 'true');
  await expect(fleet.order).toHaveAccessibleName('Order and columns: Needs attention first');
  await expect(fleet.inView).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => paramOf(page, 'status')).toBe('moving');
  expect(['sort', 'in', 'x'].map((name) => paramOf(page, name))).toEqual([null, null, null]);
  expect(paramOf(page, 'q')).toBe('volvo');
  await expect.poll(() => Math.abs(readPlace(page)[0] ?? 90)).toBeLessThan(85);
});

test('the chosen theme is kept', LONG, async ({ page, target }) => {
  const fleet = createFleetPage(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await fleet.open(target.usdot);
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'light');

  const theme = page.getByRole('button', { name: 'Theme' });
  await theme.click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.reload();
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await theme.click();
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked();

  await page.getByRole('menuitemradio', { name: 'System' }).click();
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark');
});
