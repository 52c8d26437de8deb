/** axe on each distinct state of the screens while a provider fails. accessible.spec.ts says how. */
import type { Page } from '@playwright/test';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { NOTICES, PHONE, expectAccessible, expectNoViolation } from './support/axe';
import { expect, oneAccountTest as test, twoAccountsTest } from './support/fixtures';
import { expectLive, list, notices, pill } from './support/fleet-page';
import { ACCOUNTS } from './support/shared';

const [{ usdot: OWN }, { usdot: OTHER }] = [ACCOUNTS[0].account, ACCOUNTS[1].account];
const LIVE = /\/api\/fleets\/\d+\/live(\?|$)/;
const UNITS = 12;
/** Time for a few polls on a busy machine. */
const SOON = { timeout: 30_000 };

test.setTimeout(120_000);

const counter = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name });

// First of all tests of its application: the account is cached for minutes once it is read.
test('axe finds nothing on “No fleet to open” with an error, which opens the fleet once the account can be read', async ({
  page,
  oneAccount: { provider },
}) => {
  provider.behaveForAccount('unauthorized');
  try {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'No fleet to open' })).toBeVisible();
    await expect(page.getByText("refuses this server's credentials")).toBeVisible();
    await expectAccessible(page);
  } finally {
    provider.behaveForAccount('good');
  }
  // The map may have added its position to the address.
  await expect(page).toHaveURL(({ pathname }) => pathname === `/fleets/${OWN}`, SOON);
  await expect(list(page).getByRole('option').first()).toBeVisible();
});

test('axe finds nothing from a first answer that fails to an old copy', async ({
  page,
  context,
  oneAccount: { provider },
}) => {
  const usdot = '9100061';
  provider.give(usdot, createScriptedUnits(UNITS));
  await page.clock.install();
  provider.behave(usdot, 'serverError');
  await page.goto(`/fleets/${usdot}`);
  await expect(list(page).getByRole('heading', { name: 'No data yet' })).toBeVisible();
  await expectAccessible(page);
  provider.behave(usdot, 'good');
  await expectLive(page);
  provider.behave(usdot, 'mostBadUnits');
  await expect(pill(page)).toContainText(/^Partly read · /, SOON);
  await expectAccessible(page);
  provider.behave(usdot, 'otherClock');
  await expect(pill(page)).toContainText(/^Unusual · /, SOON);
  await expectAccessible(page, NOTICES);
  await context.setOffline(true);
  await expect(notices(page)).toContainText('This computer has been offline since');
  await expectAccessible(page, NOTICES);
  await context.setOffline(false);
  await expect(pill(page)).toContainText(/^Unusual · /, SOON);
  provider.behave(usdot, 'tooManyForADay');
  await expect(notices(page).getByRole('button', { name: 'Try now' })).toBeVisible(SOON);
  // Without answers, no Date header shows that the browser's clock is ahead.
  await page.route(LIVE, () => undefined);
  await page.clock.fastForward(40_000);
  await expect(page.getByRole('group', { name: 'Filter by status' })).toContainText('As of');
  await expectAccessible(page);
});

test('axe finds nothing on a fleet whose units are all silent, or that has none', async ({
  page,
  oneAccount: { provider },
}) => {
  const usdot = '9100062';
  provider.give(usdot, createScriptedUnits(UNITS));
  await page.goto(`/fleets/${usdot}`);
  await expectLive(page);
  provider.behave(usdot, 'dropsToZero');
  // Its last answer is held at first, and then its units are missing for a moment before they count as having left.
  await expect(counter(page, 'silent')).toContainText(String(UNITS), { timeout: 60_000 });
  await expectAccessible(page);
});

twoAccountsTest(
  'axe finds nothing on an empty fleet, the menu of fleets, and a newer server',
  async ({ page, twoAccounts: { two } }) => {
    two.give(OTHER, []);
    await page.route(LIVE, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-linehaul-build': 'another' } });
    });
    await page.goto(`/fleets/${OTHER}`);
    await expect(list(page).getByRole('heading', { name: 'No active trucks' })).toBeVisible();
    await expect(notices(page)).toContainText('Linehaul was updated.');
    await expectAccessible(page);
    await page.keyboard.press('g');
    await expect(page.getByRole('menuitem', { name: 'Mesa Verde Lines' })).toBeVisible();
    await expectNoViolation(page, 'light');
    await expectNoViolation(page, 'dark');
    await page.setViewportSize(PHONE);
    await page.goto(`/fleets/${OWN}/roster`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('menuitem', { name: 'Cedar Ridge Haulers' })).toBeVisible();
    await expectNoViolation(page, 'light');
    await expectNoViolation(page, 'dark');
    // The page goes on polling: the request that the end of the test cuts off is no failure.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

twoAccountsTest(
  'axe finds nothing on the status page, and where a provider has the keys and the devices',
  async ({ page, twoAccounts: { two } }) => {
    two.behave(OTHER, 'unauthorized');
    try {
      // The status page has the fleets that are being watched.
      await page.goto(`/fleets/${OTHER}`);
      await page.goto('/status');
      const card = page.getByRole('article', { name: 'Cedar Ridge Haulers' });
      await expect(card).toContainText("The tracking provider refuses this server's credentials.", SOON);
      await card.getByText('Technical details').click();
      await expect(card.getByText('TrackingError [unauthorized]').first()).toBeVisible();
      await expectAccessible(page);
    } finally {
      two.behave(OTHER, 'good');
    }
    await page.goto('/api-keys');
    await expect(page.getByText('More → API Keys')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add a key' })).toHaveCount(0);
    await expectAccessible(page);
    await page.goto('/devices');
    await expect(page.getByText('Their devices report there')).toBeVisible();
    await expectAccessible(page);
  },
);
