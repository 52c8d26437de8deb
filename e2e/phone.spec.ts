import type { Locator } from '@playwright/test';
import { readUnits } from './support/api-unit';
import { expect, test } from './support/fixtures';
import { LONG } from './support/long';
import { createFleetPage } from './support/fleet-page';
import { listOfSites, removeSites, takeTool } from './support/sites';

const SCREEN = { width: 390, height: 844 };
/** The smallest target that a thumb hits reliably. */
const FINGER_PX = 44;

test.use({ viewport: SCREEN, hasTouch: true, isMobile: true });

test.afterEach(({ target }) => removeSites(target));

const heightOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.height ?? 0;

/** Every visible button, link, field and line that can be pressed, with its size if it is too small. */
const findSmallControls = (within: Locator): Promise<string[]> =>
  within.evaluate((root, fingerPx) => {
    const controls = [...root.querySelectorAll<HTMLElement>('button, [href], input, [role="option"]')];
    return controls.flatMap((control) => {
      const { width, height, top, bottom } = control.getBoundingClientRect();
      const isSeen = control.checkVisibility({ visibilityProperty: true }) && bottom > 0 && top < innerHeight;
      // A link in a sentence is as high as its line, which WCAG 2.5.8 allows.
      const isInline = control.matches('a') && getComputedStyle(control).display === 'inline';
      // An element moved by a fraction of a pixel measures slightly less than its size.
      const isLarge = Math.min(width, height) > fingerPx - 0.1;
      if (!isSeen || width === 0 || isInline || isLarge) return [];
      const name = control.getAttribute('aria-label') ?? control.textContent;
      return [`${name} is ${Math.round(width)} × ${Math.round(height)}`];
    });
  }, FINGER_PX);

test('on a phone the map fills the screen, and the sheet with the list rises by its button and by a drag', async ({
  page,
  target,
}) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot);
  const { x, y, width, height } = (await fleet.canvas.boundingBox())!;
  const bar = await heightOf(page.getByRole('banner'));
  expect({ x, width }).toEqual({ x: 0, width: SCREEN.width });
  expect(Math.abs(y - bar)).toBeLessThanOrEqual(1);
  expect(y + height).toBeGreaterThanOrEqual(SCREEN.height - 1);
  expect(bar).toBeLessThan(SCREEN.height / 8);
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflowPx).toBeLessThanOrEqual(0);
  expect((await fleet.readDrawn()).units).toBeGreaterThan(300);

  // The legend, the scale and the credits are side by side, open or folded.
  const boxOf = async (locator: Locator) => (await locator.boundingBox())!;
  const credits = fleet.map.getByText('GeoNames').locator('xpath=ancestor::div[1]');
  const legend = fleet.map.getByRole('button', { name: 'Legend' }).locator('xpath=..');
  const scale = fleet.map.getByText(/^[\d,.]+ km$/).locator('xpath=..');
  const expectApart = async () => {
    const top = (await boxOf(credits)).y;
    for (const box of [await boxOf(legend), await boxOf(scale)]) {
      expect(box.y + box.height).toBeLessThanOrEqual(top);
    }
    expect((await boxOf(legend)).x + (await boxOf(legend)).width).toBeLessThanOrEqual((await boxOf(scale)).x);
  };
  await expect(expectApart).toPass();
  await fleet.map.getByRole('button', { name: 'Legend' }).tap();
  await expect(expectApart).toPass();
  await fleet.map.getByRole('button', { name: 'Legend' }).tap();

  const list = page.getByRole('region', { name: 'List of trucks' });
  const topOf = async () => (await list.boundingBox())?.y ?? NaN;
  const lowest = await topOf();
  expect(lowest).toBeGreaterThan(SCREEN.height * 0.7);

  await page.getByRole('button', { name: 'Grow the list' }).tap();
  await expect.poll(topOf).toBeLessThan(SCREEN.height * 0.65);
  await expect(fleet.options.first()).toBeInViewport();
  await page.getByRole('button', { name: 'Grow the list' }).tap();
  await expect.poll(topOf).toBeLessThan(SCREEN.height * 0.3);
  await expect(page.getByRole('button', { name: 'Grow the list' })).toBeHidden();

  // The sheet is still rising when it passes the mark: the drag starts where it comes to rest.
  let top = NaN;
  const isAtRest = async () => {
    const before = top;
    top = await topOf();
    return top === before;
  };
  await expect.poll(isAtRest).toBe(true);
  await page.mouse.move(SCREEN.width / 3, top - 30);
  await page.mouse.down();
  await page.mouse.move(SCREEN.width / 3, SCREEN.height - 60, { steps: 8 });
  await page.mouse.up();
  await expect.poll(topOf).toBe(lowest);
});

test('on a phone every control is large enough for a finger, the last flag can be reached, and a panel opens over the list', async ({
  page,
  api,
  target,
}) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot);
  const body = page.locator('body');
  await expect.poll(() => findSmallControls(body), 'on the map').toEqual([]);
  await page.getByRole('button', { name: 'Grow the list' }).tap();
  await expect(fleet.options.first()).toBeInViewport();
  await expect.poll(() => findSmallControls(body), 'with the list').toEqual([]);
  await page.getByRole('button', { name: 'Menu' }).tap();
  await expect(page.getByRole('menuitem', { name: 'Roster' })).toBeVisible();
  await expect.poll(() => findSmallControls(body), 'with the menu').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'Roster' })).toBeHidden();

  await page.getByRole('button', { name: 'Filter by flag' }).tap();
  const last = page.getByRole('menuitem', { name: 'What they mean' });
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(last).toBeHidden();

  const [unit] = await readUnits(api, target.usdot);
  if (!unit) throw new Error('The API lists no unit.');
  await fleet.search.fill(unit.vin);
  await expect(fleet.options).toHaveCount(1);
  await fleet.options.tap();
  const heading = fleet.panel.getByRole('heading', { name: `Truck ${unit.truckNumber}` });
  await expect(heading).toBeInViewport();
  await expect(fleet.list).toBeHidden();
  // The unit is in the part of the map that the panel leaves open.
  await expect(async () => {
    const at = (await fleet.readDrawn()).selectedAt;
    const map = await fleet.canvas.boundingBox();
    const panel = await fleet.panel.boundingBox();
    expect(at).not.toBeNull();
    expect(map!.y + at!.y).toBeLessThan(panel!.y);
  }).toPass();
  await expect.poll(() => findSmallControls(body), 'with a panel').toEqual([]);

  await page.getByRole('button', { name: 'Close panel' }).tap();
  await expect(heading).toBeHidden();
  await expect(fleet.list).toBeVisible();
});

test(
  'a site is drawn by touch: a polygon by a tap for each corner, a circle by two taps',
  LONG,
  async ({ page, target }) => {
    await page.goto(`/fleets/${target.usdot}/sites`);
    await page.getByRole('button', { name: 'Add the first site' }).tap();
    const { x, y } = await takeTool(page, 'Touched', 'Draw a polygon');
    const tapAt = async (...taps: readonly (readonly [right: number, down: number])[]) => {
      for (const [right, down] of taps) await page.touchscreen.tap(x + right, y + down);
    };
    const isCut = (button: HTMLElement) =>
      [...button.querySelectorAll('span')].some(
        ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
      );
    expect(await page.getByRole('button', { name: 'Draw a polygon' }).evaluate(isCut)).toBe(false);
    await tapAt([-50, -50], [50, -50], [50, 50], [-50, -50]);
    await expect(page.getByLabel('Corners')).toHaveValue(/^(44\.\d+, -121\.\d+\n?){3}$/);

    await page.getByRole('button', { name: 'Circle' }).tap();
    await tapAt([0, 0], [50, 0]);
    await expect(page.getByLabel('Latitude')).toHaveValue(/^44\.\d+$/);
    await page.getByRole('button', { name: 'Add site' }).tap();
    await expect(listOfSites(page)).toContainText('Touched');
  },
);
