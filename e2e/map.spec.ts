import type { Page } from '@playwright/test';
import { DEMO_SPECIMENS } from '@/testing/service/demo-specimens';
import { toDistanceM } from './support/distance';
import { countPlaced, readListedUnits, readUnits, type ApiUnit } from './support/api-unit';
import { expect, test, type TrackingApi } from './support/fixtures';
import { createFleetPage, expectLive, factOf, readCount } from './support/fleet-page';
import { countDeparted, readLiveUnits } from './support/live-fleet';
import { LONG } from './support/long';
import { MINUTE_MS } from '@/lib/base/time';

const MOST_SPRITES = 2000;

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** An address whose view has a unit's position in the middle. */
const viewOf = ({ coordinates }: ApiUnit, zoom: number): string =>
  `at=@${coordinates!.lat},${coordinates!.lng},${zoom}z`;

const readZoom = (page: Page): number =>
  Number(/at=@[^,]+,[^,]+,([\d.]+)/.exec(decodeURIComponent(page.url()))?.[1] ?? NaN);

/** Watches the API until a unit drives: its newest fix is well off the one before. */
const requireDriving = async (api: TrackingApi, usdot: string): Promise<ApiUnit> => {
  const before = new Map((await readUnits(api, usdot)).map((unit) => [unit.vin, unit]));
  let driving: ApiUnit | undefined;
  const findDriving = async () => {
    driving = (await readUnits(api, usdot)).find((unit) => {
      const earlier = before.get(unit.vin);
      if (!earlier?.coordinates || !unit.coordinates) return false;
      const seconds = unit.unixTimestamp - earlier.unixTimestamp;
      const meters = toDistanceM(earlier.coordinates, unit.coordinates);
      return seconds > 0 && seconds <= 20 && meters > 15 * seconds && meters < 40 * seconds;
    });
    return driving?.vin;
  };
  await expect.poll(findDriving, { timeout: MINUTE_MS / 2 }).toBeDefined();
  return driving!;
};

/** A unit that stands still, with no other unit near it. */
const requireAlone = async (api: TrackingApi, usdot: string, standing: Set<string>): Promise<ApiUnit> => {
  const units = (await readUnits(api, usdot)).filter(({ coordinates }) => coordinates !== null);
  const alone = units.find(
    (unit) =>
      standing.has(unit.vin) &&
      units.every((other) => other === unit || toDistanceM(other.coordinates!, unit.coordinates!) > 20_000),
  );
  if (!alone) throw new Error(`None of ${standing.size} standing units is 20 km from every other.`);
  return alone;
};

test('the map is zoomed and fitted by its buttons, represents as many units as the API lists, and shows the one selected in the list', async ({
  page,
  api,
  target,
  request,
}) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, '?at=@39,-97,7z&sort=truck');
  const all = await readCount(fleet.all);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => readZoom(page)).toBe(8);
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(() => readZoom(page)).toBe(7);
  expect(await readCount(fleet.inView)).toBeLessThan(all / 2);
  await page.getByRole('button', { name: 'Show the whole fleet' }).click();
  await expect.poll(() => readZoom(page)).toBeLessThan(6);
  await expect.poll(() => readCount(fleet.inView)).toBeGreaterThan(all * 0.9);

  await expect(async () => {
    const listed = countPlaced(await readListedUnits(api, target.usdot));
    const departed = countDeparted(await readLiveUnits(request, target.usdot));
    expect(listed).toBeGreaterThan(300);
    expect((await fleet.readDrawn()).units).toBe(listed + departed);
  }).toPass({ timeout: MINUTE_MS / 2 });
  const { sprites, units } = await fleet.readDrawn();
  expect(sprites).toBeLessThan(MOST_SPRITES);
  expect(sprites).toBeLessThan(units);

  const moving = fleet.options.filter({ hasText: /\d mph/ }).first();
  const name = (await moving.textContent())?.match(/\d{3}/)?.[0] ?? '';
  await fleet.options.filter({ hasText: name }).first().click();
  await expect(fleet.panel.getByRole('heading', { name: `Truck ${name}` })).toBeVisible();
  await expect(fleet.selectedOption).toContainText(name);
  await expect.poll(async () => (await fleet.readDrawn()).selectedAt).not.toBeNull();
  await expect(
    fleet.map.getByRole('button', { name: new RegExp(`^Truck ${name}, .*Go there$`) }),
  ).toBeVisible();
});

test('a unit moves on the map to the fixes of the API, and stays in the middle while it is followed', async ({
  page,
  api,
  target,
}) => {
  test.setTimeout(3 * MINUTE_MS);
  const unit = await requireDriving(api, target.usdot);
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, `?unit=${unit.vin}&${viewOf(unit, 13)}`);
  const coordinates = factOf(fleet.panel, 'Coordinates');
  await expect(coordinates).toBeVisible();
  await expect.poll(async () => (await fleet.readDrawn()).selectedAt).not.toBeNull();
  const shownFirst = await coordinates.textContent();
  const drawnFirst = (await fleet.readDrawn()).selectedAt;

  const fixes = new Set<string>();
  await expect(async () => {
    const { coordinates: at } = await api.read<ApiUnit>(`/api/units/${target.usdot}/${unit.vin}`);
    fixes.add(`${at!.lat.toFixed(5)}, ${at!.lng.toFixed(5)}`);
    const shown = await coordinates.textContent();
    expect(shown).not.toBe(shownFirst);
    expect([...fixes]).toContain(shown?.replaceAll('−', '-'));
    expect((await fleet.readDrawn()).selectedAt).not.toEqual(drawnFirst);
  }).toPass({ timeout: MINUTE_MS, intervals: [500] });

  const follow = fleet.panel.getByRole('button', { name: /^Follow/ });

  await follow.click();
  await expect(follow).toHaveAccessibleName('Following');
  await expect(follow).toHaveAttribute('aria-pressed', 'true');
  const { width, height, x, y } = (await fleet.canvas.boundingBox())!;
  const panelLeft = (await fleet.panel.boundingBox())!.x - x;
  const isInTheMiddle = async () => {
    const at = (await fleet.readDrawn()).selectedAt;
    return at !== null && Math.abs(at.x - panelLeft / 2) < 40 && Math.abs(at.y - height / 2) < 40;
  };
  await expect.poll(isInTheMiddle).toBe(true);
  // The map follows: its center, in the address, changes while the unit stays in the middle.
  const placeBefore = new URL(page.url()).searchParams.get('at');
  await expect
    .poll(() => new URL(page.url()).searchParams.get('at'), { timeout: 30_000 })
    .not.toBe(placeBefore);
  expect(await isInTheMiddle()).toBe(true);

  await page.mouse.move(x + width / 4, y + height - 200);
  await page.mouse.down();
  await page.mouse.move(x + width / 4 + 120, y + height - 320, { steps: 6 });
  await page.mouse.up();
  await expect(follow).toHaveAccessibleName('Follow');
  await expect(follow).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(isInTheMiddle).toBe(false);
  await expect(fleet.panel).toBeVisible();

  // Selected again, it is not followed by itself.
  await follow.click();
  await expect(follow).toHaveAccessibleName('Following');
  await page.keyboard.press('Escape');
  await expect(fleet.panel).toHaveCount(0);
  await page.goBack();
  await expect(follow).toHaveAccessibleName('Follow');
});

test('a unit selected on the map is selected in the list, and a click beside it deselects', async ({
  page,
  api,
  target,
  request,
}) => {
  const live = await readLiveUnits(request, target.usdot);
  const standing = new Set(live.filter(({ status }) => status === 'stopped').map(({ vin }) => vin ?? ''));
  const unit = await requireAlone(api, target.usdot, standing);
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, `?${viewOf(unit, 12)}`);
  await expect.poll(async () => (await fleet.readDrawn()).units).toBe(1);
  const { width, height } = (await fleet.canvas.boundingBox())!;

  // The address puts the unit in the middle.
  await fleet.canvas.click({ position: { x: width / 2, y: height / 2 } });
  await expect(fleet.panel.getByRole('heading', { name: `Truck ${unit.truckNumber}` })).toBeVisible();
  await expect(fleet.selectedOption).toContainText(unit.truckNumber);
  await expect(fleet.selectedOption).toBeInViewport();

  await fleet.canvas.click({ position: { x: width / 2 - 200, y: height / 2 + 150 } });
  await expect(fleet.panel).toBeHidden();
  await expect(fleet.selectedOption).toHaveCount(0);
});

test(
  'units at one position, which no zoom can separate, are listed',
  LONG,
  async ({ page, api, target, request }) => {
    // Demo vehicles that are silent for hours, so that they stay where this test puts them. A unit seen before
    // it vanished would be held at its last position, from where it could not have come here so soon.
    const place = { lat: 46.786, lng: -103.252 };
    const active = new Set((await readUnits(api, target.usdot)).map(({ truckNumber }) => truckNumber));
    const live = await readLiveUnits(request, target.usdot);
    const seen = new Set(live.filter(({ hasPosition }) => hasPosition).map(({ truckNumber }) => truckNumber));
    const trucks = DEMO_SPECIMENS.vanishing
      .filter((truck) => !active.has(truck) && !seen.has(truck))
      .slice(0, 2);
    expect(trucks).toHaveLength(2);
    for (const truck of trucks) {
      const query = new URLSearchParams({
        id: `PT30-0${truck}`,
        lat: String(place.lat),
        lon: String(place.lng),
        token: target.ingestToken,
      });
      const response = await request.post(`${target.trackingUrl}/ingest/osmand?${query.toString()}`);
      expect(response.status()).toBe(200);
    }
    const fleet = createFleetPage(page);
    await fleet.open(target.usdot, `?at=@${place.lat},${place.lng},15z`);
    await expect.poll(async () => (await fleet.readDrawn()).units).toBe(2);
    const { width, height } = (await fleet.canvas.boundingBox())!;

    await fleet.canvas.click({ position: { x: width / 2, y: height / 2 } });
    const popup = page.getByRole('dialog', { name: '2 trucks here' });
    for (const truck of trucks) await expect(popup.getByRole('button', { name: truck })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(popup).toBeHidden();

    // Other trucks have its rows in the past.
    await fleet.canvas.click({ position: { x: width / 2, y: height / 2 } });
    await expect(popup).toBeVisible();
    await page.getByRole('button', { name: 'Back in time' }).click();
    await page.getByRole('slider', { name: 'Moment' }).press('ArrowLeft');
    await expect(popup).toBeHidden();
    await page.getByRole('region', { name: 'Past' }).getByRole('button', { name: 'Back to live' }).click();
    await expectLive(page);

    await fleet.canvas.click({ position: { x: width / 2, y: height / 2 } });
    await popup.getByRole('button', { name: trucks[1]! }).click();
    await expect(popup).toBeHidden();
    await expect(fleet.panel.getByRole('heading', { name: `Truck ${trucks[1]}` })).toBeVisible();
  },
);

/** Colors of the base map's tiles as "r,g,b", each covering at least a hundredth of its tile. */
const readMapColors = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const colors = new Set<string>();
    for (const tile of document.querySelectorAll<HTMLCanvasElement>('canvas.leaflet-tile-loaded')) {
      const copy = document.createElement('canvas').getContext('2d')!;
      [copy.canvas.width, copy.canvas.height] = [tile.width, tile.height];
      copy.drawImage(tile, 0, 0);
      const { data } = copy.getImageData(0, 0, tile.width, tile.height);
      const counts = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const color = `${data[at]},${data[at + 1]},${data[at + 2]}`;
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      for (const [color, count] of counts) if (count > data.length / 400) colors.add(color);
    }
    return [...colors];
  });

const LAND = { light: '247,248,246', dark: '27,35,46' };
const WATER = { light: '207,221,232', dark: '13,18,25' };

test(
  'the base map shows land and water in the colors of the theme, also after a zoom',
  LONG,
  async ({ page, target }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    const fleet = createFleetPage(page);
    await fleet.open(target.usdot, '?at=@29.5,-90,6z');
    const shows = (colors: string[]) =>
      expect
        .poll(() => readMapColors(page), { timeout: MINUTE_MS / 2 })
        .toEqual(expect.arrayContaining(colors));
    await shows([LAND.light, WATER.light]);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await shows([LAND.light, WATER.light]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await shows([LAND.dark, WATER.dark]);
    await expect.poll(async () => (await readMapColors(page)).includes(LAND.light)).toBe(false);
  },
);

test('a map without its outlines says so, and shows the units', LONG, async ({ page, target }) => {
  await page.route('**/basemap/overview.json', (route) => route.abort());
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot);
  await expect(page.getByText('The map’s outlines could not be loaded')).toBeVisible();
  expect((await fleet.readDrawn()).units).toBeGreaterThan(0);
});
