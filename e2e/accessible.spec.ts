import type { Page } from '@playwright/test';
import { readUnits } from './support/api-unit';
import { createAxe } from './support/faultless';
import { expect, test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';

const WCAG_A_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const SIZES = [
  { width: 1600, height: 900 },
  { width: 390, height: 844 },
];
const SCHEMES = ['light', 'dark'] as const;

interface Where {
  page: Page;
  usdot: string;
  /** Of a unit that the API lists. */
  vin: string;
}

/** Each screen, opened and shown until what it is about is there. */
const SCREENS: Record<string, (where: Where) => Promise<void>> = {
  map: ({ page, usdot }) => createFleetPage(page).open(usdot),
  'map with a panel': async ({ page, usdot, vin }) => {
    const { open, panel } = createFleetPage(page);
    await open(usdot, `?unit=${vin}`);
    await expect(panel.getByText('Public record')).toBeVisible();
  },
  'search that finds nothing': async ({ page, usdot }) => {
    await createFleetPage(page).open(usdot, '?q=nothing+of+the+kind');
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeAttached();
  },
  'help with the keys': async ({ page, usdot }) => {
    await createFleetPage(page).open(usdot);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toContainText('Fit the map');
  },
  roster: async ({ page, usdot }) => {
    await page.goto(`/fleets/${usdot}/roster`);
    await expect(page.getByRole('row').nth(3)).toBeVisible();
  },
  "vehicle's page": async ({ page, usdot, vin }) => {
    await page.goto(`/fleets/${usdot}/units/${vin}`);
    await expect(page.getByText('Public record')).toBeAttached();
  },
  'status page': async ({ page, usdot, vin }) => {
    // A fleet that nobody has open has no feed to tell of.
    await page.goto(`/fleets/${usdot}/units/${vin}`);
    await expect(page.getByText('Public record')).toBeAttached();
    await page.goto('/status');
    await expect(page.getByRole('article', { name: 'Prairie Star Freight' })).toContainText('Live');
  },
  'page of a malformed VIN': async ({ page, usdot }) => {
    await page.goto(`/fleets/${usdot}/units/90A`);
    await expect(page.getByRole('heading', { name: 'That is not a VIN' })).toBeVisible();
  },
  'page of a malformed USDOT number': async ({ page }) => {
    await page.goto('/fleets/90A');
    await expect(page.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
  },
};

for (const [name, show] of Object.entries(SCREENS)) {
  for (const viewport of SIZES) {
    test(`axe finds nothing on the ${name} at ${viewport.width} × ${viewport.height}`, async ({
      page,
      api,
      target,
    }) => {
      test.setTimeout(120_000);
      const [unit] = await readUnits(api, target.usdot);
      await page.setViewportSize(viewport);
      // Nothing is judged half faded in.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await show({ page, usdot: target.usdot, vin: unit?.vin ?? '' });
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
        const { violations } = await createAxe(page).withTags(WCAG_A_AA).analyze();
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target: at, failureSummary }) => `${id} at ${at.join(' ')}: ${failureSummary}`),
        );
        expect(found, `in ${colorScheme} colours`).toEqual([]);
      }
    });
  }
}
