/** A truck whose device the test scripts, at a site that it draws. lib/rules/site-tracker.test.ts has the rules of visits. */
import type { APIRequestContext } from '@playwright/test';
import pg from 'pg';
import { DEMO_SPECIMENS } from '@/testing/service/demo-specimens';
import type { LatLng } from '@/lib/geo/units';
import { expect, test } from './support/fixtures';
import { readLiveUnits } from './support/live-fleet';
import { sendAsPage } from './support/session';
import { drawSite, removeSites } from './support/sites';
import type { Target } from './support/target';
import { MINUTE_MS } from '@/lib/base/time';

/** The device of a demo truck that never reported so far. */
const findNewDevice = async (
  request: APIRequestContext,
  usdot: string,
): Promise<{ truck: string; id: string }> => {
  const live = await readLiveUnits(request, usdot);
  const seen = new Set(live.filter(({ hasPosition }) => hasPosition).map(({ truckNumber }) => truckNumber));
  const truck = DEMO_SPECIMENS.vanishing.find((each) => !seen.has(each))!;
  return { truck, id: `PT30-0${truck}` };
};

/** Reports a fix, and waits until the fleet has been polled with it. */
const drive = async (
  request: APIRequestContext,
  { trackingUrl, ingestToken, usdot }: Target,
  { truck, id }: { truck: string; id: string },
  { lat, lng, atMs }: LatLng & { atMs: number },
): Promise<void> => {
  const query = new URLSearchParams({ id, token: ingestToken, timestamp: String(atMs / 1000) });
  const position = `lat=${lat}&lon=${lng}`;
  const response = await request.post(`${trackingUrl}/ingest/osmand?${query.toString()}&${position}`);
  expect(response.status()).toBe(200);
  const readFixMs = async () =>
    (await readLiveUnits(request, usdot)).find(({ truckNumber }) => truckNumber === truck)?.fixAtMs;
  await expect.poll(readFixMs, { timeout: 20_000 }).toBe(atMs);
};

/** "8:05 AM", after its date where that is not today. */
const clock = (atMs: number): string =>
  `(\\w+ \\d+, )?${new Date(atMs).toLocaleTimeString('en-US', { timeZone: 'America/Chicago', hour: 'numeric', minute: '2-digit' })}`;

const removeAlerts = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('delete from linehaul.alerts');
  await client.query('delete from linehaul.alert_rules');
  await client.end();
};

test.afterEach(async ({ target }) => {
  await removeSites(target);
  await removeAlerts(target.application.databaseUrl);
});

test('a truck drives into a site that was drawn, stands and drives out: arrival, dwell and departure have their times', async ({
  page,
  request,
  target,
}) => {
  test.setTimeout(120_000);
  const { usdot, application } = target;
  await page.goto(`/fleets/${usdot}/sites`);
  await test.step('the site is drawn', () => drawSite(page));
  for (const condition of [
    { kind: 'arrives', siteIds: null },
    { kind: 'stays', siteIds: null, forMin: 10 },
    { kind: 'leaves', siteIds: null },
  ]) {
    const rule = {
      name: condition.kind,
      condition,
      units: { type: 'all' },
      schedule: null,
      severity: 'warning',
    };
    const about = { coolDownMin: 30, isEnabled: true, isOwn: false };
    const path = `/api/fleets/${usdot}/alert-rules`;
    expect((await sendAsPage(application.url, path, { ...rule, ...about }, application.cookie)).ok).toBe(
      true,
    );
  }
  const { sites } = (await (await request.get(`/api/fleets/${usdot}/sites`)).json()) as {
    sites: { id: number; shape: LatLng }[];
  };
  const { id, shape } = sites[0]!;
  const inside = { lat: shape.lat, lng: shape.lng };
  const outside = { lat: shape.lat + 0.1, lng: shape.lng };
  const device = await findNewDevice(request, usdot);
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  // The tracking API lists units for half an hour after their fix.
  const [outsideMs, arrivedMs, settledMs, leftMs, goneMs] = [
    nowMs - 26 * MINUTE_MS,
    nowMs - 20 * MINUTE_MS,
    nowMs - 14 * MINUTE_MS,
    nowMs - 7 * MINUTE_MS,
    nowMs - 1 * MINUTE_MS,
  ];
  const sitePage = `/fleets/${usdot}/sites/${id}`;
  const arrival = `between ${clock(outsideMs)} and ${clock(arrivedMs)}`;

  await test.step('it drives in', async () => {
    await drive(request, target, device, { ...outside, atMs: outsideMs });
    await drive(request, target, device, { ...inside, atMs: arrivedMs });
    await drive(request, target, device, { ...inside, atMs: settledMs });
    await page.goto(sitePage);
    const here = page.getByRole('region', { name: /^Here now/ });
    await expect(here).toContainText(new RegExp(`${device.truck}.*arrived ${arrival} · 2\\d min`), {
      timeout: 20_000,
    });
  });
  await test.step('it stands, and drives out', async () => {
    await drive(request, target, device, { ...inside, atMs: leftMs });
    await drive(request, target, device, { ...outside, atMs: goneMs });
    await page.goto(sitePage);
    const visits = page.getByRole('region', { name: 'Visits' });
    await expect(visits).toContainText(
      new RegExp(
        `${device.truck}13 min.*Arrived ${arrival}.*Left between ${clock(leftMs)} and ${clock(goneMs)}`,
      ),
      { timeout: 20_000 },
    );
    await expect(page.getByRole('region', { name: /^Here now/ })).toContainText('No truck is here.');
    const dwell = page.getByRole('region', { name: 'How long trucks stay' });
    await expect(dwell).toContainText('Median 13 minLongest 13 minof 1 visit that ended in the last 30 days');
    await expect(dwell.getByRole('row', { name: 'under 15 min 1' })).toBeVisible();
    await page.getByRole('link', { name: 'Nearest trucks' }).click();
    await expect(page.getByRole('complementary', { name: 'Nearest trucks' })).toContainText('Plant Bend');
  });
  await test.step('each rule fired once', async () => {
    await page.goto(`/fleets/${usdot}/alerts`);
    const alerts = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: `Truck ${device.truck}` });
    await expect(alerts).toHaveCount(3, { timeout: 20_000 });
    const text = (await alerts.allTextContents()).join(' ');
    expect(text).toMatch(new RegExp(`arrived at Plant Bend ${arrival}`));
    expect(text).toMatch(new RegExp(`(has been|was) at Plant Bend for [^,]+, since ${clock(arrivedMs)}`));
    expect(text).toMatch(new RegExp(`left Plant Bend between ${clock(leftMs)} and ${clock(goneMs)}`));
  });
  await test.step('a site that is drawn there afterwards has the visit from the recording', async () => {
    const { id: _, ...drawn } = sites[0]!;
    const site = { ...drawn, name: 'Plant Bend again' };
    const made = await sendAsPage(application.url, `/api/fleets/${usdot}/sites`, site, application.cookie);
    const { id: madeId } = (await made.json()) as { id: number };
    await page.goto(`/fleets/${usdot}/sites/${madeId}`);
    await expect(page.getByRole('region', { name: 'Visits' })).toContainText(
      new RegExp(
        `${device.truck}13 min.*Arrived ${arrival}.*Left between ${clock(leftMs)} and ${clock(goneMs)}`,
      ),
      { timeout: 30_000 },
    );
  });
});
