import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** Holds what the page shows now against axe's rules, in light and in dark. */
export const expectFaultless = async (page: Page): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // Asked again for a moment: colours that are still changing over to the other theme are nobody's fault.
    await expect(async () => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
      expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
    }).toPass({ timeout: 10_000 });
  }
};
