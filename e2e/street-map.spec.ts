/** The street map of an archive: what is drawn is compared with what the archive holds. */
import { rm, writeFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { createStreetArchive } from '@/testing/map/create-street-archive';
import { DESK, PHONE, expectNoViolation } from './support/axe';
import { DEMO_USDOT, startApplication, type Application } from './support/application';

type Color = [red: number, green: number, blue: number];
interface Point {
  x: number;
  y: number;
}

const CENTER = { lat: 39, lng: -104.5 };
/** A highway through the center due east, and a main road across it from the southwest. */
const HIGHWAY: [number, number][] = [[-106, 39], [-103, 39]]; // oxfmt-ignore
const MAIN_ROAD: [number, number][] = [[-105.5, 38], [-103.5, 40]]; // oxfmt-ignore
const COLORS: Record<'light' | 'dark', { highway: Color; mainRoad: Color; land: Color }> = {
  light: { highway: [226, 191, 148], mainRoad: [235, 217, 192], land: [247, 248, 246] },
  dark: { highway: [74, 68, 54], mainRoad: [59, 58, 53], land: [27, 35, 46] },
};
const ZOOMS = [8, 10, 12, 15];
/** Half the strongest difference of two colors of the map: an edge of a line is a mixture. */
const TOLERANCE = 14;
const NOTICE = 'Map detail unavailable';

const archive = createStreetArchive({
  minZoom: 6,
  maxZoom: 11,
  attribution: '<a href="https://streets.example/" onclick="alert(1)">Street makers</a>',
  features: [
    { layer: 'earth', kind: 'earth', type: 'polygon', points: [[-107, 37], [-102, 37], [-102, 41], [-107, 41]] }, // oxfmt-ignore
    {
      layer: 'roads',
      kind: 'highway',
      type: 'line',
      points: HIGHWAY,
      more: { ref: 'I 70', network: 'US:I' },
    },
    { layer: 'roads', kind: 'major_road', type: 'line', points: MAIN_ROAD, more: { name: 'Mesa Road' } },
  ],
});

/** Pixels of the world at a zoom. */
const project = (lng: number, lat: number, zoom: number): Point => {
  const phi = (lat * Math.PI) / 180;
  const world = 256 * 2 ** zoom;
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + phi / 2)) / (2 * Math.PI);
  return { x: ((lng + 180) / 360) * world, y: y * world };
};

/** Points of a road near the center, relative to it. */
const pointsOf = ([from, to]: [number, number][], zoom: number): Point[] => {
  const center = project(CENTER.lng, CENTER.lat, zoom);
  const [a, b] = [project(...from!, zoom), project(...to!, zoom)];
  const share = (center.x - a.x) / (b.x - a.x);
  return [-140, -90, -40, 60, 110, 150].map((px) => {
    const at = share + px / Math.hypot(b.x - a.x, b.y - a.y);
    return { x: a.x + (b.x - a.x) * at - center.x, y: a.y + (b.y - a.y) * at - center.y };
  });
};

/** The colors of the map's tiles about each of these points, which are relative to the center of the map. */
const readColors = (page: Page, points: Point[]): Promise<Color[][]> =>
  page.evaluate((wanted) => {
    const container = document.querySelector('.leaflet-container')!.getBoundingClientRect();
    const tiles = [...document.querySelectorAll<HTMLCanvasElement>('canvas.leaflet-tile-loaded')];
    return wanted.map(({ x, y }) => {
      const [left, top] = [
        container.left + container.width / 2 + x,
        container.top + container.height / 2 + y,
      ];
      return tiles.flatMap((tile): Color[] => {
        const rect = tile.getBoundingClientRect();
        if (left < rect.left + 1 || left > rect.right - 2 || top < rect.top + 1 || top > rect.bottom - 2)
          return [];
        const copy = document.createElement('canvas').getContext('2d')!;
        copy.drawImage(tile, Math.round(rect.left - left + 1), Math.round(rect.top - top + 1));
        const { data } = copy.getImageData(0, 0, 3, 3);
        return Array.from({ length: 9 }, (_, i): Color => [data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!]);
      });
    });
  }, points);

const isLike = (a: Color, b: Color): boolean => a.every((value, i) => Math.abs(value - b[i]!) <= TOLERANCE);

/** Waits until all points have the color, and returns how many have. */
const expectColor = async (page: Page, points: Point[], color: Color): Promise<void> => {
  await expect
    .poll(
      async () =>
        (await readColors(page, points)).filter((all) => all.some((each) => isLike(each, color))).length,
      {
        timeout: 20_000,
      },
    )
    .toBe(points.length);
};

const open = async (page: Page, zoom: number): Promise<void> => {
  await page.goto(`${application.url}/fleets/${DEMO_USDOT}?at=@${CENTER.lat},${CENTER.lng},${zoom}z`);
  await expect(page.locator('.leaflet-container')).toBeVisible();
};

let application: Application;
let path: string;

test.setTimeout(180_000);

test.beforeAll(async ({}, testInfo) => {
  path = testInfo.outputPath('streets.pmtiles');
  await writeFile(path, archive);
  application = await startApplication(
    { MAP_PMTILES: path, DEMO_UNITS: '5' },
    testInfo.outputPath('application.log'),
  );
});

test.afterAll(() => application.stop());

test('roads are drawn where the archive has them; without it the base map stays, and the roads come back', async ({
  page,
}) => {
  for (const zoom of ZOOMS) {
    await open(page, zoom);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expectColor(page, pointsOf(HIGHWAY, zoom), COLORS[theme].highway);
      await expectColor(page, pointsOf(MAIN_ROAD, zoom), COLORS[theme].mainRoad);
      await expectColor(page, [{ x: -60, y: -35 }, { x: 70, y: 30 }], COLORS[theme].land); // oxfmt-ignore
    }
  }
  const credit = page.getByRole('link', { name: 'Street makers' });
  await expect(credit).toHaveAttribute('href', 'https://streets.example/');
  expect(await credit.getAttribute('onclick')).toBeNull();
  await page.setViewportSize(PHONE);
  await expectColor(page, pointsOf(HIGHWAY, ZOOMS.at(-1)!), COLORS.dark.highway);
  await expectNoViolation(page, 'light');
  await page.setViewportSize(DESK);
  await expectNoViolation(page, 'dark');

  await page.route('**/api/map/streets/**', (route) => route.fulfill({ status: 500 }));
  await open(page, 10);
  await expect(page.getByText(NOTICE)).toBeVisible();
  await expectColor(page, [{ x: -60, y: -35 }], COLORS.dark.land);
  await page.unroute('**/api/map/streets/**');
  await open(page, 10);
  await expectColor(page, pointsOf(HIGHWAY, 10), COLORS.dark.highway);
  await expect(page.getByText(NOTICE)).toBeHidden();

  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await rm(path);
  await open(page, 10);
  await expect(page.getByText(NOTICE)).toBeVisible();
  await expectNoViolation(page, 'light', '[role=status]');
  await expectNoViolation(page, 'dark', '[role=status]');
  await expectColor(page, [{ x: -60, y: -35 }], COLORS.dark.land);
  expect(errors).toEqual([]);

  await writeFile(path, archive);
  // The server looks for it again after ten seconds, and a page after a minute or once it is online again.
  await expect
    .poll(
      async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('online')));
        return page.getByText(NOTICE).isVisible();
      },
      { timeout: 30_000, intervals: [1000] },
    )
    .toBe(false);
  await expectColor(page, pointsOf(HIGHWAY, 10), COLORS.dark.highway);
});
