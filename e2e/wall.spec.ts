/** A wall screen, as a user sees with its address how one would look. */
import { LEAST_ARC_MIN, SCREEN_DISTANCES, toArcMin, type ScreenDistance } from '@/lib/wall-screens/distance';
import type { Page } from '@playwright/test';
import { expectNoViolation } from './support/axe';
import { expect, test } from './support/fixtures';

const SIZES = [
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
];

const openWall = async (page: Page, usdot: string, query: string): Promise<void> => {
  await page.goto(`/screen/${usdot}?${query}`);
  await expect(page.getByText(/^Live · /)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: /^\d+ ?Moving/ })).toBeVisible();
};

/** The size in pixels of the smallest text that is shown outside of the map, and that text. */
const readSmallest = (page: Page): Promise<{ sizePx: number; text: string }> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
    let smallest = { sizePx: Infinity, text: '' };
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent!.trim();
      const element = walker.currentNode.parentElement!;
      if (text === '' || element.closest('.visually-hidden, .leaflet-container, [class*="foot"] a')) continue;
      if (element.closest('[aria-label="Map"]') && !element.matches('[class*="region"]')) continue;
      const sizePx = Number.parseFloat(getComputedStyle(element).fontSize);
      if (sizePx < smallest.sizePx) smallest = { sizePx, text };
    }
    return smallest;
  });

const expectReadable = async (page: Page, height: number, distance: ScreenDistance): Promise<void> => {
  const { sizePx, text } = await readSmallest(page);
  expect(toArcMin(sizePx, height, distance), `${text} at ${sizePx} px`).toBeGreaterThanOrEqual(LEAST_ARC_MIN);
};

test('each text of a wall screen is readable from its distance at 1080p and 4K, and nothing of it is operated', async ({
  page,
  target,
}) => {
  for (const distance of SCREEN_DISTANCES) {
    await page.setViewportSize(SIZES[0]!);
    await openWall(page, target.usdot, `distance=${distance}&rotating=on`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expectReadable(page, size.height, distance);
      // All of it fits, as a screen cannot be scrolled.
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(
        size.height,
      );
    }
    for (const role of ['button', 'searchbox', 'textbox', 'navigation', 'checkbox'] as const)
      await expect(page.getByRole(role)).toHaveCount(0);
    await expect(page.locator('canvas').first()).toBeVisible();
  }
});

test('axe finds nothing on a wall screen, on a phone neither', async ({ page, target }) => {
  // Without a choice a wall screen is dark.
  await page.addInitScript(() => localStorage.setItem('linehaul-color-scheme', 'auto'));
  await openWall(page, target.usdot, 'distance=wall');
  await expectNoViolation(page, 'light');
  await expectNoViolation(page, 'dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoViolation(page, 'light');
});

test('the page of a wall screen moves by some pixels from minute to minute', async ({ page, target }) => {
  await page.clock.install();
  await openWall(page, target.usdot, 'distance=wall');
  const readShift = () => page.getByRole('main').evaluate((main) => getComputedStyle(main).translate);
  for (let minute = 0; minute < 4; minute++) {
    const before = await readShift();
    await page.clock.fastForward(60_000);
    await expect.poll(readShift).not.toBe(before);
  }
});
