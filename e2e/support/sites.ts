import { expect, type Page } from '@playwright/test';
import type { SiteInput, SiteShape } from '@/lib/rules/site';
import { sendAsPage } from './session';
import type { Target } from './target';

export const listOfSites = (page: Page) => page.getByRole('region', { name: 'List of sites' });

/** Fills in a name, goes to a town, and takes a tool; returns the middle of the map. */
export const takeTool = async (page: Page, name: string, tool: string): Promise<{ x: number; y: number }> => {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Town').fill('Bend, OR');
  await page.getByRole('button', { name: tool }).click();
  const map = page.locator('.leaflet-container:visible');
  await expect(map).toHaveClass(/geoman-draw-cursor/);
  // The map has gone to the town.
  await expect(page.getByText('200 mi', { exact: true })).toBeHidden();
  const { x, y, width, height } = (await map.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
};

export const clickAt = async (page: Page, x: number, y: number): Promise<void> => {
  await page.mouse.move(x, y, { steps: 3 });
  await page.mouse.click(x, y);
};

/** Draws a circle, Plant Bend, as the first site. */
export const drawSite = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add the first site' }).click();
  const { x, y } = await takeTool(page, 'Plant Bend', 'Draw a circle');
  await clickAt(page, x, y);
  await clickAt(page, x + 40, y);
  await expect(page.getByLabel('Latitude')).toHaveValue(/^4[34]\.\d+$/);
  await page.getByLabel('Kind').selectOption('Customer');
  await page.getByRole('button', { name: 'Add site' }).click();
  await expect(listOfSites(page)).toContainText('Plant BendCustomer · Bend, OR');
};

/** The fleet of an application. */
export type FleetOf = Pick<Target, 'application' | 'usdot'>;

const pathOf = ({ usdot }: FleetOf): string => `/api/fleets/${usdot}/sites`;

/** Adds a site to the target's fleet, a yard if it is not said, and returns its id. */
export const addSite = async (
  target: FleetOf,
  name: string,
  shape: SiteShape,
  kind: SiteInput['kind'] = 'yard',
): Promise<number> => {
  const { url, cookie } = target.application;
  const site: SiteInput = {
    ...{ name, shape, kind, color: '#1d6fd8' },
    ...{ notes: '', openingHours: null, marginM: 75 },
  };
  const response = await sendAsPage(url, pathOf(target), site, cookie);
  if (!response.ok) throw new Error(`The site was refused: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { id: number }).id;
};

/** Deletes all sites of the target's fleet, which other tests share. */
export const removeSites = async (target: FleetOf): Promise<void> => {
  const { url, cookie, fetch: get } = target.application;
  const { sites } = (await (await get(pathOf(target))).json()) as { sites: { id: number }[] };
  for (const { id } of sites)
    await fetch(`${url}${pathOf(target)}/${id}`, {
      method: 'DELETE',
      headers: { origin: url, 'content-type': 'application/json', ...(cookie && { cookie }) },
    });
};
