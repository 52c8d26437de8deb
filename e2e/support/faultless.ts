import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

type ColorScheme = 'light' | 'dark';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1600, height: 900 };

/** On a machine that does much else. */
const JUDGED_WITHIN_MS = 30_000;

/** Axe on a page; it works out of each element that breaks a rule where it is, and not of the thousands that keep it. */
export const createAxe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] });

const expectFaultlessIn = async (page: Page, colorScheme: ColorScheme): Promise<void> => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  // Asked again for a moment: colours that are still changing over to the other theme are nobody's fault.
  await expect(async () => {
    const { violations } = await createAxe(page).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
    expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
  }).toPass({ timeout: JUDGED_WITHIN_MS });
};

/** Holds what the page shows now against axe's rules, in light and in dark. */
export const expectFaultless = async (page: Page): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) await expectFaultlessIn(page, colorScheme);
};

/** The same on a phone in dark and on a desk's screen in light, as which the page is left. */
export const expectFaultlessOnPhoneAndDesk = async (page: Page): Promise<void> => {
  await page.setViewportSize(PHONE);
  await expectFaultlessIn(page, 'dark');
  await page.setViewportSize(DESK);
  await expectFaultlessIn(page, 'light');
};
