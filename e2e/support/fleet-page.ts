import { expect, type Locator, type Page } from '@playwright/test';

/** The map's numbers of its last frame, from the attributes of its element. */
export interface DrawnMap {
  /** Units that the map represents in view; NaN before the first frame. */
  units: number;
  sprites: number;
  /** Where the selected unit is drawn, in pixels of the map; null when it is not. */
  selectedAt: { x: number; y: number } | null;
}

/** Time for script, session, outlines and the first poll on a busy machine. */
const FIRST_DATA_MS = 45_000;

/** The fleet screen by its roles and accessible names. */
export const createFleetPage = (page: Page) => {
  const map = page.getByRole('region', { name: 'Map' });
  const canvas = map.locator('.leaflet-container');
  const counters = page.getByRole('group', { name: 'Filter by status' });
  const scope = page.getByRole('group', { name: 'Trucks to list' });

  const readDrawn = async (): Promise<DrawnMap> => {
    const { drawnUnits, sprites, selectedAt } = await canvas.evaluate((element) => ({
      ...(element as HTMLElement).dataset,
    }));
    const [x, y] = (selectedAt ?? '').split(',').map(Number);
    return {
      units: Number(drawnUnits ?? NaN),
      sprites: Number(sprites ?? NaN),
      selectedAt: x === undefined || y === undefined ? null : { x, y },
    };
  };

  return {
    map,
    canvas,
    readDrawn,
    list: page.getByRole('listbox', { name: 'Trucks' }),
    options: page.getByRole('listbox', { name: 'Trucks' }).getByRole('option'),
    selectedOption: page.getByRole('option', { selected: true }),
    panel: page.getByRole('complementary'),
    search: page.getByRole('combobox', { name: 'Search' }),
    counters,
    counter: (name: string): Locator => counters.getByRole('button', { name }),
    all: scope.getByRole('button', { name: /^All/ }),
    inView: scope.getByRole('button', { name: /^In view/ }),
    order: page.getByRole('button', { name: /^Order and columns:/ }),

    /** Opens the screen, of the target or of another application, and waits until the fleet is on its map and in its list. */
    async open(usdot: string, view = '', url = ''): Promise<void> {
      await page.goto(`${url}/fleets/${usdot}${view}`);
      await expect.poll(async () => (await readDrawn()).units, { timeout: FIRST_DATA_MS }).not.toBeNaN();
      // On a phone it may be covered by the panel.
      await expect(page.getByRole('button', { name: /^All \d/, includeHidden: true })).toBeAttached();
    },
  };
};
export type FleetPage = ReturnType<typeof createFleetPage>;

/** The number in the text of a button such as "In view 390". */
export const readCount = async (locator: Locator): Promise<number> =>
  Number(/\d[\d,]*/.exec((await locator.textContent()) ?? '')?.[0].replaceAll(',', '') ?? NaN);

/** The value beside a name in a panel's or a page's list of facts, not in that of a map that another page covers. */
export const factOf = (within: Locator, name: string): Locator =>
  within
    .locator('dl:not([aria-hidden="true"] *) > div')
    .filter({ has: within.page().locator('dt').getByText(name, { exact: true }) })
    .locator('dt + dd');

/** Where the fleet screen shows the age of its data and what is wrong. */
export const pill = (page: Page): Locator => page.getByRole('button', { name: /Show ages/ });
export const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notices' });
export const list = (page: Page): Locator => page.getByRole('region', { name: 'List of trucks' });

/** Waits until the fleet is shown as current, by the live answer and no longer by the HTML alone. */
export const expectLive = async (page: Page): Promise<void> => {
  await expect(pill(page)).toContainText(/^Live/, { timeout: FIRST_DATA_MS });
  await expect(page.locator('[role="listbox"][aria-busy]')).toHaveCount(0);
};

/** Counts page loads from here on. */
export const watchLoads = (page: Page): (() => number) => {
  let loads = 0;
  page.on('load', () => loads++);
  return () => loads;
};
