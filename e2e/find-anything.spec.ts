/** The search field of every page: what it suggests, the lists that it filters, and what it leads to on the map. */
import type { APIRequestContext, Page } from '@playwright/test';
import { toMercatorX, toMercatorY, worldSizePx } from '@/lib/geo/projection';
import { parseViewState } from '@/lib/view/view-state';
import { expectNoViolation } from './support/axe';
import { expect, test } from './support/fixtures';
import { createFleetPage, pill } from './support/fleet-page';
import { readLiveUnits } from './support/live-fleet';
import { LONG } from './support/long';
import { sendAsPage } from './support/session';
import { addSite, removeSites } from './support/sites';
import type { Target } from './support/target';

const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');

const changeTags = async ({ application, usdot }: Target, change: object): Promise<void> => {
  const { ok, status } = await sendAsPage(application.url, `/api/fleets/${usdot}/tags`, change);
  expect(ok, `tags answered ${status}`).toBe(true);
};

const NO_CONTACT = {
  ...{ driver: '', driverPhone: '', secondDriver: '', secondDriverPhone: '' },
  ...{ dispatcher: '', dispatcherPhone: '', text: '' },
};

const changeContact = async (
  { application: { url }, usdot }: Target,
  unit: string,
  parts: Partial<typeof NO_CONTACT>,
): Promise<void> => {
  const body = { unit, ...NO_CONTACT, ...parts };
  const { ok, status } = await sendAsPage(url, `/api/fleets/${usdot}/contacts`, body, '', 'PUT');
  expect(ok, `contacts answered ${status}`).toBe(true);
};

test('nearest free truck to Joplin, MO, and whom to call: three clicks and typing, or the keyboard alone', async ({
  page,
  target,
  request,
}) => {
  const fleet = createFleetPage(page);
  const units = await readLiveUnits(request, target.usdot);
  const free = units
    .filter(({ hasPosition, isElsewhere }) => hasPosition && !isElsewhere)
    .slice(0, 3)
    .map(({ key }) => key);
  await changeTags(target, { change: 'add', tag: 'empty', units: free });
  await changeTags(target, { change: 'free', has: ['empty'], not: [] });
  try {
    await changeContact(target, free[0]!, { driver: 'Jo Park', driverPhone: '(512) 555-0123' });
    await fleet.open(target.usdot);
    await fleet.search.click();
    await page.keyboard.type('Joplin');
    await expect(options(page)).toHaveText(['Go to Joplin, MO', 'Nearest trucks to Joplin, MO']);
    // A town that no truck matches empties neither the list nor the map.
    await expect(fleet.options.first()).toBeVisible();
    expect((await fleet.readDrawn()).units).toBeGreaterThan(free.length);
    await expectNoViolation(page, 'light', '[role=search]');
    await options(page).nth(1).click();
    const listed = fleet.panel.getByRole('list', { name: 'Nearest trucks' }).getByRole('listitem');
    await expect(listed).toHaveCount(25);
    await fleet.panel.getByRole('button', { name: 'Free', exact: true }).click();
    await expect(listed).toHaveCount(free.length);
    await expect(fleet.panel.getByText('Free: with the tag empty.')).toBeVisible();
    // The map has the free ones alone; each row has a number or a way to add one.
    await expect.poll(async () => (await fleet.readDrawn()).units).toBe(free.length);
    await expect(
      listed.filter({ hasText: 'Add a contact' }).or(listed.filter({ hasText: '555-' })),
    ).toHaveCount(free.length);
    await expect(
      listed.filter({ hasText: 'Jo Park' }).getByText('(512) 555-0123').filter({ visible: true }),
    ).toHaveCount(1);
    await expect(page).toHaveURL(/near=37\.\d+,-94\.\d+,Joplin,\+MO&free=on/);
    await page.goBack();
    await expect(page).not.toHaveURL(/near=|q=/);
    await expect(fleet.options.first()).toBeVisible();

    await page.goto(`/fleets/${target.usdot}/alerts`);
    await page.keyboard.press('/');
    await page.keyboard.type('joplin');
    await expect(options(page)).toHaveCount(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(fleet.search).toHaveAttribute('aria-activedescendant', /-1$/);
    await page.keyboard.press('Enter');
    await expect(fleet.panel.getByText('Joplin, MO', { exact: true })).toBeVisible();
    await page.goto(`/fleets/${target.usdot}/roster`);
    await fleet.search.fill('jo park');
    await expect(options(page).filter({ hasText: 'Jo Park · (512) 555-0123' })).toBeVisible();
  } finally {
    await changeContact(target, free[0]!, {});
    // With its last tag none are free any more.
    await changeTags(target, { change: 'delete', tag: 'empty' });
  }
});

test('the nearest trucks are waited for until their positions are there', LONG, async ({ page, target }) => {
  const fleet = createFleetPage(page);
  let isHeld = true;
  const held: (() => void)[] = [];
  await page.route(/\/live(\?|$)/, async (route) => {
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto(`/fleets/${target.usdot}?near=37.08,-94.51,Joplin,+MO`);
  const listed = fleet.panel.getByRole('list', { name: 'Nearest trucks' }).getByRole('listitem');
  await expect(fleet.panel.getByText('Waiting for the positions of the trucks…')).toBeVisible();
  await expect(fleet.panel.getByText(/^No truck/)).toHaveCount(0);
  await expect(listed).toHaveCount(0);
  isHeld = false;
  for (const release of held) release();
  await expect(listed).toHaveCount(25);
  await expect(fleet.panel.getByText(/^Waiting/)).toHaveCount(0);
});

test(
  'in a fleet without tags “Free” leads to tagging the trucks that are free',
  LONG,
  async ({ page, target, request }) => {
    const fleet = createFleetPage(page);
    const [unit] = (await readLiveUnits(request, target.usdot)).filter(
      ({ truckNumber, hasPosition, isElsewhere }) => truckNumber !== null && hasPosition && !isElsewhere,
    );
    let hasTags = false;
    // The fleet of the tests has tags.
    await page.route('**/tags', async (route) => {
      if (route.request().method() !== 'GET') hasTags = true;
      if (hasTags) await route.continue();
      else await route.fulfill({ json: { tags: [], free: null } });
    });
    try {
      await page.goto(`/fleets/${target.usdot}?near=37.08,-94.51,Joplin,+MO`);
      await expect(fleet.panel.getByText('No tags say which trucks are free.')).toBeVisible();
      await fleet.panel.getByRole('button', { name: 'Free', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Which trucks are free?' });
      await expect(dialog).toContainText('this fleet has none yet. Choose the trucks that are free now.');
      await dialog.getByRole('combobox', { name: 'Free trucks' }).fill(unit!.truckNumber!);
      await page
        .getByRole('listbox', { name: 'Free trucks' })
        .getByRole('option', { name: unit!.truckNumber! })
        .first()
        .click();
      await dialog.getByLabel('Their tag').fill('First free');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog).toHaveCount(0);
      await fleet.panel.getByRole('button', { name: 'Free', exact: true }).click();
      await expect(fleet.panel.getByText('Free: with the tag first free.')).toBeVisible();
      const listed = fleet.panel.getByRole('list', { name: 'Nearest trucks' }).getByRole('listitem');
      await expect(listed).toHaveCount(1);
      await expect(listed).toContainText(unit!.truckNumber!);
    } finally {
      if (hasTags) await changeTags(target, { change: 'delete', tag: 'first free' });
    }
  },
);

test(
  'the field finds a ZIP code, a state, coordinates, a site and a truck',
  LONG,
  async ({ page, target }) => {
    const fleet = createFleetPage(page);
    const id = await addSite(target, 'Plant Joplin', { type: 'circle', lat: 37.1, lng: -94.5, radiusM: 400 });
    try {
      await fleet.open(target.usdot);
      for (const [text, first] of [
        ['64801', /^Go to 64801/],
        ['missouri', /^Go to Missouri/],
        ['35.2, -101.83', /^Go to 35\.20000, -101\.83000/],
        ['plant', /^Go to Plant Joplin/],
      ] as const) {
        await fleet.search.fill(text);
        await expect(options(page).first()).toHaveText(first);
      }
      await fleet.search.press('Enter');
      await expect(fleet.search).toHaveValue('');
      await expect(page).toHaveURL(/sites=on/);
      await expect(page).toHaveURL(/at=@37\.\d+,-94\.\d+,1[0-9.]+z?/);
      expect(id).toBeGreaterThan(0);
    } finally {
      await removeSites(target);
    }
  },
);

test('pages that belong to no fleet keep the search, the bell, the live state and the navigation of the last one', async ({
  page,
  target,
}) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, '?status=stopped');
  for (const [path, heading] of [
    ['/devices', 'Devices'],
    ['/users', 'Users'],
    ['/settings', 'Settings'],
    ['/status', 'Status'],
    ['/help', 'What the map shows'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(fleet.search).toBeVisible();
    await expect(page.getByRole('button', { name: /^Alerts/ })).toBeVisible();
    await expect(pill(page)).toContainText(/^Live/);
    await expect(
      page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Roster' }),
    ).toBeVisible();
  }
  await page.keyboard.press('/');
  await page.keyboard.type('missouri');
  await expect(options(page).first()).toHaveText(/^Go to Missouri/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await fleet.readDrawn()).units).toBeGreaterThan(0);
});

test(
  'on the roster, the history, the alerts and the sites the field filters the page, and its address has the search',
  LONG,
  async ({ page, target }) => {
    const search = createFleetPage(page).search;
    await addSite(target, 'Plant North', { type: 'circle', lat: 61.2, lng: -149.9, radiusM: 400 });
    await addSite(target, 'Yard South', { type: 'circle', lat: 61.1, lng: -149.9, radiusM: 400 });
    try {
      await page.goto(`/fleets/${target.usdot}/sites`);
      const sites = page.getByRole('region', { name: 'List of sites' }).getByRole('listitem');
      await expect(sites).toHaveCount(2);
      await search.fill('plant');
      await expect(sites).toHaveCount(1);
      await expect(page).toHaveURL(/\/sites\?q=plant$/);
      await page.reload();
      await expect(search).toHaveValue('plant');
      await expect(sites).toHaveCount(1);
      await search.fill('nowhere');
      await page
        .getByRole('region', { name: 'Sites', exact: true })
        .getByRole('button', { name: 'Clear search' })
        .click();
      await expect(sites).toHaveCount(2);
      for (const [name, nothing] of [
        ['roster', 'No truck matches.'],
        ['history', 'No truck in this list matches “no such thing”.'],
        ['alerts', 'No alert in this list matches “no such thing”.'],
      ] as const) {
        await page.goto(`/fleets/${target.usdot}/${name}?q=no+such+thing`);
        await expect(search).toHaveValue('no such thing');
        await expect(page.getByText(nothing)).toBeVisible();
      }
    } finally {
      await removeSites(target);
    }
  },
);

test('a distance and an area are measured by mouse and by keyboard, and Escape ends', async ({
  page,
  target,
}) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, '?at=@37.08,-94.51,13z');
  const card = page.getByRole('group', { name: 'Measure' });
  await page.getByRole('button', { name: 'Measure' }).click();
  await expect(card).toBeVisible();
  const { x, y, width, height } = (await fleet.canvas.boundingBox())!;
  for (const [right, down] of [
    [0.3, 0.3],
    [0.5, 0.3],
    [0.5, 0.5],
  ] as const)
    await page.mouse.click(x + width * right, y + height * down);
  await expect(card.getByRole('status')).toHaveText(
    /^[\d.]+ mi · [\d,]+ ftArea [\d.]+ sq mi · [\d,]+ sq ft$/,
  );
  await expect(fleet.panel).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
  await expect(page.getByRole('button', { name: 'Measure' })).toBeFocused();

  await page.keyboard.press('m');
  await expect(fleet.canvas).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(card.getByRole('status')).toHaveText('Set the next point.');
  const before = page.url();
  await page.keyboard.press('ArrowRight');
  await expect(page).not.toHaveURL(before);
  await page.keyboard.press('Enter');
  await expect(card.getByRole('status')).toHaveText(/^[\d.]+ mi · [\d,]+ ft$/);
  await page.keyboard.press('Backspace');
  await expect(card.getByRole('status')).toHaveText('Set the next point.');
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
});

/** Half of a unit's sign. */
const SIGN_PX = 10;

/** The units under a button of the map, its legend, the sheet or the panel, as of the camera in the address. */
const readHidden = async (page: Page, request: APIRequestContext, usdot: string): Promise<string[]> => {
  const { camera } = parseViewState(new URL(page.url()).search);
  const map = (await createFleetPage(page).canvas.boundingBox())!;
  const boxes = await Promise.all(
    [
      page.getByRole('group', { name: 'Map', exact: true }),
      page.getByRole('button', { name: 'Legend' }).locator('xpath=..'),
      page.locator('[data-snap]:visible').last(),
    ]
      // The legend is not beside a sheet that has grown.
      .map(async (locator) => ((await locator.isVisible()) ? locator.boundingBox() : null)),
  );
  const size = worldSizePx(camera!.zoom);
  const isUnder = (px: number, py: number): boolean =>
    boxes.some(
      (box) =>
        box !== null &&
        px > box.x - SIGN_PX &&
        px < box.x + box.width + SIGN_PX &&
        py > box.y - SIGN_PX &&
        py < box.y + box.height + SIGN_PX,
    );
  return (await readLiveUnits(request, usdot))
    .filter(({ position, isElsewhere }) => {
      if (position === null || isElsewhere) return false;
      return isUnder(
        map.x + map.width / 2 + (toMercatorX(position.lng) - toMercatorX(camera!.lng)) * size,
        map.y + map.height / 2 + (toMercatorY(position.lat) - toMercatorY(camera!.lat)) * size,
      );
    })
    .map(({ key }) => key);
};

for (const [name, width, height] of [
  ['desk', 1600, 900],
  ['laptop', 1280, 720],
  ['tablet', 1024, 768],
  ['phone', 390, 844],
  ['phone on its side', 844, 390],
] as const)
  test(
    `no truck is hidden by a button, the legend, the sheet or the panel: ${name}`,
    LONG,
    async ({ page, target, request }) => {
      await page.setViewportSize({ width, height });
      const fleet = createFleetPage(page);
      const expectNoneHidden = (): Promise<void> =>
        expect.poll(() => readHidden(page, request, target.usdot)).toEqual([]);
      await fleet.open(target.usdot);
      await expect(page).toHaveURL(/at=@/);
      await expectNoneHidden();
      const grow = page.getByRole('button', { name: 'Grow the list' });
      if (await grow.isVisible()) {
        await grow.click();
        await expectNoneHidden();
      }
      // Beside the panel of a tablet there is no room for a fleet.
      if (name === 'tablet') return;
      await fleet.options.first().click();
      await expect(fleet.panel).toBeVisible();
      await expectNoneHidden();
    },
  );
