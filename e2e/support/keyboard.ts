import { expect, type Locator, type Page } from '@playwright/test';

/** More stops than any page has. */
const MOST_STOPS = 90;

/** What is wrong with the visible focus; null for no fault, and while the browser's own bar has the focus. */
const findFocusFault = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const held = document.activeElement;
    if (held === null || held === document.body) return null;
    const name = held.getAttribute('aria-label') ?? held.textContent;
    const { outlineStyle, outlineWidth } = getComputedStyle(held);
    if (outlineStyle === 'none' || parseFloat(outlineWidth) === 0) return `${name} does not show the focus`;
    const { x, y, width, height } = held.getBoundingClientRect();
    // An element that passes pointer events through to the map is not found at its point either.
    const { style } = held as HTMLElement;
    const own = style.pointerEvents;
    style.pointerEvents = 'auto';
    const isSeen = [0.5, 0.1, 0.9].some((share) => {
      const at = document.elementFromPoint(x + width * share, y + height * share);
      return at !== null && (held.contains(at) || at.contains(held));
    });
    style.pointerEvents = own;
    return isSeen ? null : `${name} has the focus out of sight`;
  });

/**
 * Moves the focus to a control by Tab or Shift+Tab; every control on the way must show its focus. @throws
 * Error where no Tab leads there
 */
export const tabTo = async (page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  const stops: (string | null)[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press(key);
    await expect.poll(() => findFocusFault(page)).toBeNull();
    if (await target.evaluate((element) => element === document.activeElement)) return;
    stops.push(await page.evaluate(() => document.activeElement?.textContent?.slice(0, 20) ?? null));
  }
  throw new Error(`${key} leads to ${stops.join(', ')} when a control is looked for.`);
};
