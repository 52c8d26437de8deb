import { expect, test } from './support/fixtures';
import { LONG } from './support/long';
import { createFleetPage, readCount } from './support/fleet-page';
import { type ApiUnit, readUnits } from './support/api-unit';
import { readLiveUnits } from './support/live-fleet';
import type { Status } from '@/lib/motion/status';

const STATUSES = ['Moving', 'Stopped', 'Late', 'Silent', 'Unknown'];

/** A unit with a field value that no other unit's fields contain, so that a search for it has one result. */
const requireOne = (units: readonly ApiUnit[]): ApiUnit => {
  const texts = (unit: ApiUnit) =>
    [unit.truckNumber, unit.vin, unit.licensePlate.number, unit.deviceId].map((text) => text.toUpperCase());
  const found = units.find((unit) =>
    units.every(
      (other) =>
        other === unit ||
        ![unit.truckNumber, unit.licensePlate.number].some((asked) =>
          texts(other).some((text) => text.includes(asked.toUpperCase())),
        ),
    ),
  );
  if (!found) throw new Error(`None of ${units.length} units has a truck number of its own.`);
  return found;
};

/** Letters and digits only, as a dispatcher types in a hurry. */
const toLetters = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

test('a search finds a truck by plate, VIN or number, in the list and on the map; one without results can be cleared', async ({
  page,
  api,
  target,
}) => {
  const unit = requireOne(await readUnits(api, target.usdot));
  const { truckNumber, vin, licensePlate } = unit;
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot);
  const all = await readCount(fleet.all);
  for (const query of [
    `${licensePlate.state} ${licensePlate.number}`,
    toLetters(licensePlate.number),
    vin,
    truckNumber,
  ]) {
    await fleet.search.fill('no such truck');
    await expect(page.getByText('No truck matches “no such truck”.')).toBeVisible();
    await fleet.search.fill(query);
    await expect(fleet.options, query).toHaveCount(1);
    await expect(fleet.options).toContainText(truckNumber);
    await expect.poll(async () => (await fleet.readDrawn()).units).toBe(1);
  }
  await fleet.search.fill('no such truck');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await expect(page.getByText('No truck matches “no such truck”.')).toBeVisible();
  await expect.poll(async () => (await fleet.readDrawn()).units).toBe(0);
  await page
    .getByRole('region', { name: 'List of trucks' })
    .getByRole('button', { name: 'Clear search' })
    .click();
  await expect(fleet.search).toHaveValue('');
  // A truck that reports rarely may have appeared meanwhile.
  await expect.poll(() => readCount(fleet.all)).toBeGreaterThanOrEqual(all);
  await expect.poll(async () => (await fleet.readDrawn()).units).toBeGreaterThan(0);

  await fleet.search.fill(truckNumber);
  await expect(fleet.options).toHaveCount(1);
  await fleet.options.click();
  await expect(fleet.panel).toContainText(vin);
  await expect(fleet.panel).toContainText(licensePlate.number);
});

test('the counters add up to the fleet, and a pressed one filters the list and the map to what it counts', async ({
  page,
  target,
  request,
}) => {
  const fleet = createFleetPage(page);
  /** Moves the view to where the fleet does not drive; returns the units in view and those drawn. */
  const countDrawn = async (...statuses: Status[]): Promise<number> => {
    const elsewhere = (await readLiveUnits(request, target.usdot)).filter(
      ({ isElsewhere, status }) => isElsewhere && statuses.includes(status),
    );
    return (await fleet.readDrawn()).units + elsewhere.length;
  };
  await fleet.open(target.usdot);
  const all = await readCount(fleet.all);
  await expect(async () => {
    // One read, so that no poll comes between two numbers.
    const texts = await fleet.counters.getByRole('button').allTextContents();
    const byStatus = texts
      .slice(0, STATUSES.length)
      .map((text) => Number.parseInt(text.replaceAll(',', ''), 10));
    expect(byStatus.reduce((sum, count) => sum + count, 0)).toBe(await readCount(fleet.all));
  }).toPass();
  for (const name of [...STATUSES, 'Check']) await expect(fleet.counter(name)).toBeVisible();

  await fleet.counter('Moving').click();
  await expect(fleet.counter('Moving')).toHaveAttribute('aria-pressed', 'true');
  await expect(async () => {
    const counted = await readCount(fleet.counter('Moving'));
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBeLessThan(all);
    expect(await readCount(fleet.all)).toBe(counted);
    expect(await countDrawn('moving')).toBe(counted);
  }).toPass();
  for (const option of await fleet.options.all()) await expect(option).toContainText(/mph|moving/);

  await fleet.counter('Stopped').click();
  await expect(async () => {
    const both = (await readCount(fleet.counter('Moving'))) + (await readCount(fleet.counter('Stopped')));
    expect(await readCount(fleet.all)).toBe(both);
    expect(await countDrawn('moving', 'stopped')).toBe(both);
  }).toPass();

  await fleet.counter('Moving').click();
  await fleet.counter('Stopped').click();
  // The demo's fleet may have grown since: a truck is listed from its first report on.
  await expect(async () => {
    expect(await readCount(fleet.all)).toBe((await readLiveUnits(request, target.usdot)).length);
  }).toPass();

  await fleet.counter('Moving').click();
  await fleet.search.fill('zzzz');
  await expect(page.getByText('No truck matches “zzzz” among the chosen statuses.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all trucks' }).click();
  await expect(fleet.search).toHaveValue('');
  await expect(fleet.counter('Moving')).toHaveAttribute('aria-pressed', 'false');
  await expect(fleet.options.first()).toBeVisible();
});

test('the list can be limited to the units in view', LONG, async ({ page, target }) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, '?at=@32.8,-97,6z');

  await fleet.inView.click();
  await expect(fleet.inView).toHaveAttribute('aria-pressed', 'true');
  await expect(async () => {
    const inView = await readCount(fleet.inView);
    expect(inView).toBeGreaterThan(0);
    expect(inView).toBeLessThan(await readCount(fleet.all));
    expect(await fleet.options.first().getAttribute('aria-setsize')).toBe(String(inView));
    expect((await fleet.readDrawn()).units).toBe(inView);
  }).toPass();

  await page.getByRole('button', { name: 'Show the whole fleet' }).click();
  await expect.poll(() => readCount(fleet.inView)).toBeGreaterThan(300);

  await page.goto(`/fleets/${target.usdot}?in=view&at=@-60,60,6z`);
  await expect(page.getByRole('heading', { name: 'No trucks in view' })).toBeVisible();
  await page.getByRole('button', { name: 'List all' }).click();
  await expect(fleet.options.first()).toBeVisible();
});
