/** A stay that the recording has, from the page of its site to a statement that a stranger checks. */
import pg from 'pg';
import { expect, test } from './support/fixtures';
import { readLiveUnits } from './support/live-fleet';
import { sendAsPage } from './support/session';
import { addSite, removeSites } from './support/sites';
import type { Target } from './support/target';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

const [LAT, LNG] = [44.05, -121.3];
const STAY_MIN = 200;

/** Records a stay of a truck that ended half an hour ago, with a fix every five minutes. */
const recordStay = async ({ usdot, application }: Target, siteId: number, unit: string): Promise<void> => {
  const arrivedMs = Math.floor(Date.now() / MINUTE_MS - STAY_MIN - 30) * MINUTE_MS;
  const leftMs = arrivedMs + STAY_MIN * MINUTE_MS;
  const client = new pg.Client(application.databaseUrl);
  await client.connect();
  try {
    // The application makes those of hours that it records.
    for (let hour = Math.floor(arrivedMs / HOUR_MS) - 1; hour <= Math.floor(Date.now() / HOUR_MS); hour++)
      await client.query(
        `create table if not exists linehaul.fixes_h${hour} partition of linehaul.fixes
           for values from (${hour * HOUR_MS}) to (${(hour + 1) * HOUR_MS})`,
      );
    for (let min = -10; min <= STAY_MIN + 10; min += 5) {
      const fixMs = arrivedMs + min * MINUTE_MS;
      const north = min < 0 || min > STAY_MIN ? 0.1 : 0;
      await client.query(
        `insert into linehaul.fixes (usdot, unit, fix_ms, seen_ms, lat_e5, lng_e5, is_by_receipt)
         values ($1, $2, $3, $4, $5, $6, false)`,
        [usdot, unit, fixMs, fixMs + 5000, Math.round((LAT + north) * 1e5), Math.round(LNG * 1e5)],
      );
    }
    await client.query(
      `insert into linehaul.site_visits (usdot, site_id, unit, arrived_after_ms, arrived_ms, left_ms, left_by_ms)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [usdot, siteId, unit, arrivedMs - 5 * MINUTE_MS, arrivedMs, leftMs, leftMs + 5 * MINUTE_MS],
    );
  } finally {
    await client.end();
  }
};

test.afterEach(({ target }) => removeSites(target));

test('a statement is issued in three clicks from a visit, and checked by a stranger', async ({
  page,
  request,
  target,
  browser,
}) => {
  const { usdot, application } = target;
  const siteId = await addSite(target, 'Acme Bend', { type: 'circle', lat: LAT, lng: LNG, radiusM: 200 });
  const [unit] = (await readLiveUnits(request, usdot)).filter(({ hasPosition }) => hasPosition);
  await recordStay(target, siteId, unit!.key);
  const terms = { freeMin: 120, countedFrom: 'arrival', rateCents: 6000, stepMin: 15, capCents: null };
  const answer = await sendAsPage(
    application.url,
    `/api/fleets/${usdot}/detention/terms`,
    { of: 'site', customer: null, siteId, loadId: null, terms },
    application.cookie,
    'PUT',
  );
  expect(answer.ok).toBe(true);

  await page.goto(`/fleets/${usdot}/proof/billable`);
  await expect(page.getByRole('table', { name: 'Visits to bill' })).toContainText('Acme Bend');
  await page.goto(`/fleets/${usdot}/sites/${siteId}`);
  await page.getByRole('button', { name: 'Statement about truck' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 h 15 min at least');
  await page.getByRole('button', { name: 'Issue statement' }).click();
  await expect(page.getByRole('dialog')).toContainText('Only your users can open its page.');
  // A link for a stranger shows it to the stranger.
  await page.getByRole('button', { name: 'Copy link for anyone' }).click();
  await expect(page.getByRole('dialog')).toContainText('Anyone who has the link can open and check it.');
  const address = (await page.getByRole('link', { name: 'Open' }).getAttribute('href'))!;
  // It is a document that scrolls, not a page of the application.
  const document = await page.context().newPage();
  await document.goto(address);
  await expect(document.getByText('$75.00').first()).toBeVisible();
  await document.close();

  const stranger = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const phone = await stranger.newPage();
  await phone.goto(address);
  await expect(phone.getByText('$75.00').first()).toBeVisible();
  await phone.goto(`${application.url}/verify?number=${address.split('/').at(-1)!}`);
  await expect(phone.locator('body')).toContainText('Genuine and unchanged');
  await stranger.close();

  await page.goto(`/fleets/${usdot}/proof/statements`);
  await expect(page.getByRole('table', { name: 'Statements' })).toContainText('$75.00');
});
