/**
 * Runs axe once on each distinct state of the screens: all rules in the light theme at phone and desktop
 * size, and the contrast rules in the dark theme. Of a dialog or a notice over a page, only that part is
 * checked.
 */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { toAppCode } from '@/testing/auth/totp';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import type { FaultyProvider } from '@/testing/tracking/faulty-provider';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { readUnits } from './support/api-unit';
import { DEMO_USDOT, startApplication } from './support/application';
import type { Application } from './support/application';
import { expect, test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';
import { MANAGER, sendAsPage } from './support/session';
import { expectLive, list, notices, pill } from './support/told';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1600, height: 900 };
const CONTRAST = ['color-contrast', 'link-in-text-block'];
const DIALOG = '[role=dialog]';
const NOTICES = '[aria-label=Notices]';
/** Time for a few polls on a busy machine. */
const SOON = { timeout: 30_000 };

test.setTimeout(120_000);

const expectNoViolation = async (page: Page, colorScheme: 'light' | 'dark', part?: string): Promise<void> => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  // The colors may still be in transition to the other theme.
  await expect(async () => {
    // No page has frames: legacy mode needs no extra page to join their results and takes half the time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({
      resultTypes: ['violations'],
      preload: false,
      ...(colorScheme === 'dark' ? { runOnly: { type: 'rule', values: CONTRAST } } : {}),
    });
    const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
    expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
  }).toPass(SOON);
};

/** Checks the page or a part of it at phone and desktop size, and leaves it at desktop size. */
const expectAccessible = async (page: Page, part?: string): Promise<void> => {
  await page.setViewportSize(PHONE);
  await expectNoViolation(page, 'light', part);
  await page.setViewportSize(DESK);
  if (part === undefined) await expectNoViolation(page, 'light');
  await expectNoViolation(page, 'dark', part);
};

const dialog = (page: Page) => page.getByRole('dialog');
const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
};

interface Where {
  page: Page;
  usdot: string;
  /** A unit from the API's list. */
  vin: string;
}

/** Each screen of the demo, opened and ready when its main content is visible. */
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
  'page of a malformed VIN': async ({ page, usdot }) => {
    await page.goto(`/fleets/${usdot}/units/90A`);
    await expect(page.getByRole('heading', { name: 'That is not a VIN' })).toBeVisible();
  },
  'page of a malformed USDOT number': async ({ page }) => {
    await page.goto('/fleets/90A');
    await expect(page.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
  },
  'page of the users, of which the demo has none': async ({ page }) => {
    await page.goto('/users');
    await expect(page.getByRole('button', { name: 'Invite a user' })).toBeDisabled();
  },
  'page that shows the demo to its own machine alone': async ({ page, usdot }) => {
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.7' });
    await page.goto(`/fleets/${usdot}`);
    await expect(page.getByRole('main')).toContainText('ACCOUNTS=required');
  },
};

for (const [name, show] of Object.entries(SCREENS)) {
  test(`axe finds nothing on the ${name}`, async ({ page, api, target }) => {
    const [unit] = await readUnits(api, target.usdot);
    // Waits for the end of fade-ins before the check.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await show({ page, usdot: target.usdot, vin: unit?.vin ?? '' });
    await expectAccessible(page);
  });
}

test.describe('axe finds no violation where users sign in', () => {
  // One application; its last test changes how the manager signs in.
  test.describe.configure({ mode: 'default' });
  let application: Application;
  /** The first run, before there is a manager. */
  let first: Application;

  test.beforeAll(async ({}, testInfo) => {
    [application, first] = await Promise.all([
      startApplication(
        {
          ACCOUNTS: 'required',
          DEMO_UNITS: '20',
          // The mail server makes the page for mailed links available; no mail is sent.
          SMTP_URL: 'smtp://127.0.0.1:9',
          MAIL_FROM: 'Linehaul <fleet@carrier.test>',
          PUBLIC_URL: 'http://127.0.0.1:9',
        },
        testInfo.outputPath('application.log'),
      ),
      startApplication({ HOSTNAME: '0.0.0.0', DEMO_UNITS: '20' }, testInfo.outputPath('first.log')),
    ]);
  });
  test.afterAll(() => Promise.all([application?.stop(), first?.stop()]));

  const open = (page: Page, path: string) => page.goto(`${application.url}${path}`);

  test('on the pages without a session', async ({ page }) => {
    await page.goto(`${first.url}/set-up`);
    await expect(page.getByRole('button', { name: 'Make the account' })).toBeEnabled();
    await expectAccessible(page);
    await open(page, '/sign-in');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(MANAGER.email);
    await page.getByLabel(/^Password/).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('No account goes with');
    await expectAccessible(page);
    await open(page, '/sign-in/forgotten');
    await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible();
    await expectAccessible(page);
    await open(page, '/screen#no-such-link');
    await expect(page.getByText('This link opens no wall screen, or does not any more.')).toBeVisible();
    await expectAccessible(page);
    await open(page, '/join#no-such-link');
    await expect(page.getByRole('heading', { name: 'This link is of no use' })).toBeVisible();
    await expectAccessible(page);
  });

  test.describe('as a manager', () => {
    test.beforeEach(({ context }) => application.signIn(context));

    test('on a page that does not exist', async ({ page }) => {
      await open(page, '/no-such-page');
      await expect(page.getByRole('heading', { name: 'No such page' })).toBeVisible();
      await expectAccessible(page);
    });

    test('on the status page', async ({ page }) => {
      await application.fetch(`/api/fleets/${DEMO_USDOT}/live`);
      await open(page, '/status');
      await expect(page.getByRole('article', { name: 'Prairie Star Freight' })).toContainText('Live');
      await expectAccessible(page);
    });

    test('on the users, from an invitation to a new password', async ({ page, browser }) => {
      await open(page, '/users');
      await page.getByRole('button', { name: 'Invite a user' }).click();
      await dialog(page).getByLabel('E-mail address').fill('not an address');
      await dialog(page).getByLabel('Fleets').selectOption('Only these USDOT numbers');
      await dialog(page).getByRole('button', { name: 'Make the invitation' }).click();
      await expect(dialog(page).getByLabel('E-mail address')).toHaveAccessibleDescription(/not an e-mail/);
      await expectAccessible(page, DIALOG);
      await dialog(page).getByLabel('E-mail address').fill('dana@carrier.test');
      await dialog(page).getByLabel('Fleets').selectOption('All fleets');
      await dialog(page).getByLabel('Role').selectOption('Manager');
      await dialog(page).getByRole('button', { name: 'Make the invitation' }).click();
      const link = await page.getByLabel('link', { exact: true }).innerText();
      await expectAccessible(page, DIALOG);

      const own = await browser.newContext({ baseURL: application.url });
      const dana = await own.newPage();
      await dana.goto(`/join${new URL(link).hash}`);
      await dana.getByRole('textbox', { name: 'Your name' }).fill('Dana');
      await dana.getByLabel(/^Password/).fill('short');
      await dana.getByRole('button', { name: 'Join' }).click();
      await expect(dana.getByText('A password has at least 12 characters.')).toBeVisible();
      await expectAccessible(dana);
      await dana.getByLabel(/^Password/).fill('a password that Dana chose');
      await dana.getByRole('button', { name: 'Join' }).click();
      await expect(dana).not.toHaveURL(/\/join/);
      const session = (await own.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      for (const [name, usdots] of [
        ['Gate wall', [DEMO_USDOT]],
        ['Yard wall', null],
      ] as const)
        expect((await sendAsPage(application.url, '/api/screens', { name, usdots }, session)).ok).toBe(true);

      await dialog(page).getByRole('button', { name: 'Done' }).click();
      await page.reload();
      await page.getByRole('button', { name: 'Change Dana' }).click();
      await dialog(page).getByLabel('Fleets').selectOption('Only these USDOT numbers');
      await dialog(page).getByLabel('USDOT numbers').fill(DEMO_USDOT);
      await expect(dialog(page).getByRole('region', { name: /^Revoked at once/ })).toBeVisible();
      await expectAccessible(page, DIALOG);
      await closeDialog(page);
      await page.getByRole('button', { name: 'New password Dana' }).click();
      await dialog(page).getByRole('button', { name: 'Make the link' }).click();
      const reset = await page.getByLabel('link', { exact: true }).innerText();
      await dialog(page).getByRole('button', { name: 'Done' }).click();
      await dana.goto(`/reset${new URL(reset).hash}`);
      await expect(dana.getByLabel(/^New password/)).toBeVisible();
      await expectAccessible(dana);
      await own.close();
      await page.getByRole('button', { name: 'Disable Dana' }).click();
      await expectAccessible(page, DIALOG);
      await dialog(page).getByRole('button', { name: 'Disable' }).click();
      await expect(page.getByRole('row', { name: /dana@carrier/ })).toContainText('Disabled');
      await expectAccessible(page);
    });

    test('on the audit log', async ({ page }) => {
      await open(page, '/audit');
      await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1)).toBeVisible();
      await expectAccessible(page);
    });

    test('on devices, their dialogs and an import', async ({ page }) => {
      await open(page, '/devices');
      await expect(page.getByRole('row').nth(3)).toBeVisible();
      await expectAccessible(page);
      await page
        .getByRole('button', { name: /^Change / })
        .first()
        .click();
      await page.getByLabel('Device id').fill('x'.repeat(201));
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByLabel('Device id')).toHaveAccessibleDescription(/^Is longer than/);
      await expectAccessible(page, DIALOG);
      await closeDialog(page);
      await page
        .getByRole('button', { name: /^Connect a phone to / })
        .first()
        .click();
      await page.getByRole('button', { name: 'Show the code' }).click();
      await expect(page.getByRole('img', { name: /^QR code for Traccar/ })).toBeVisible();
      await expectAccessible(page, DIALOG);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Import a CSV' }).click();
      const buffer = Buffer.from('vin,truck_number\r\nNOVIN,1');
      await page.getByLabel('CSV file').setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer });
      await expect(page.getByRole('region', { name: 'Wrong' })).toBeVisible();
      await expectAccessible(page, DIALOG);
    });

    test('on API keys and their dialogs', async ({ page }) => {
      await open(page, '/api-keys');
      await page.getByRole('button', { name: 'Add a key' }).click();
      for (const endpoint of await page.getByRole('checkbox').all()) await endpoint.uncheck();
      await page.getByRole('button', { name: 'Add the key' }).click();
      await expect(page.getByRole('group', { name: 'Endpoints' })).toHaveAccessibleDescription(/./);
      await expectAccessible(page, DIALOG);
      for (const endpoint of await page.getByRole('checkbox').all()) await endpoint.check();
      await page.getByLabel('Name').fill('yard');
      await page.getByRole('button', { name: 'Add the key' }).click();
      await expect(page.getByRole('dialog', { name: 'Copy the key and its token' })).toBeVisible();
      await expectAccessible(page, DIALOG);
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('row').filter({ hasText: 'yard' })).toBeVisible();
      await expectAccessible(page);
    });

    test('on the settings and their dialogs', async ({ page }) => {
      await open(page, '/settings');
      await page.getByRole('button', { name: 'Change… Bad VIN' }).click();
      await page.getByLabel('Raised after', { exact: true }).fill('never');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByLabel('Raised after', { exact: true })).toHaveAccessibleDescription(/^Give/);
      await expectAccessible(page, DIALOG);
      await page.getByLabel('Raised after', { exact: true }).fill('7');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(dialog(page)).toBeHidden();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Preset… Bad VIN' }).click();
      await expectAccessible(page, DIALOG);
      await closeDialog(page);
      await page.getByRole('button', { name: 'Require it of managers…' }).click();
      await expectAccessible(page, DIALOG);
    });

    test('on wall screens', async ({ page }) => {
      await open(page, '/screens');
      await page.getByRole('button', { name: 'Add a screen' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Dock');
      await page.getByRole('button', { name: 'Make the screen' }).click();
      await expect(page.getByLabel('Link', { exact: true })).toBeVisible();
      await expectAccessible(page, DIALOG);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Revoke Dock' }).click();
      await page.getByRole('button', { name: 'Revoke the screen' }).click();
      await expect(page.getByRole('cell', { name: /^Revoked/ }).first()).toBeVisible();
      await expectAccessible(page);
    });

    // Last, because signing in requires a second step from here on.
    test('on the account page, the second factor and the second step of signing in', async ({ page }) => {
      await open(page, '/account');
      await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Set up…' }).click();
      await page.getByLabel(/^Your password/).fill(MANAGER.password);
      await page.getByRole('button', { name: 'Go on' }).click();
      await expect(page.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible();
      await expectAccessible(page);
      const secret = await page.getByLabel('Or type this key into the app', { exact: true }).innerText();
      const code = toAppCode(`otpauth://totp/Linehaul?secret=${secret}`, Date.now());
      await page.getByRole('textbox', { name: 'Code of the app' }).fill(code);
      await page.getByRole('button', { name: 'Turn the second factor on' }).click();
      await expect(page.getByText('Signing in asks for a code of your authenticator app')).toBeVisible();
      await page.context().clearCookies();
      await open(page, '/sign-in');
      await page.getByRole('textbox', { name: 'E-mail address' }).fill(MANAGER.email);
      await page.getByLabel(/^Password/).fill(MANAGER.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
      await expectAccessible(page);
    });
  });
});

test.describe('axe finds no violation while a provider fails', () => {
  test.describe.configure({ mode: 'default' });
  const USDOT = '9100001';
  const OTHER = '9100002';
  let provider: FaultyProvider;
  let other: FaultyProvider;
  let application: Application;

  test.beforeAll(async ({}, testInfo) => {
    const credentials = { apiKey: 'key-of-the-other', providerToken: 'token-of-the-other' };
    [provider, other] = await Promise.all([
      startFaultyProvider(),
      startFaultyProvider({
        account: { companyName: 'Cedar Ridge Haulers', companyId: 'CRH-7', usdot: OTHER },
        credentials,
      }),
    ]);
    provider.give(USDOT, createScriptedUnits(12));
    other.give(OTHER, []);
    application = await startApplication(
      {
        ...provider.variables,
        TRACKING_USDOT: USDOT,
        TRACKING_2_BASE_URL: other.baseUrl,
        TRACKING_2_API_KEY: credentials.apiKey,
        TRACKING_2_PROVIDER_TOKEN: credentials.providerToken,
        TRACKING_2_USDOT: OTHER,
        TRACKING_MAX_BACKOFF_MS: '1000',
        TRACKING_DOUBT_HOLD_MS: '1000',
      },
      testInfo.outputPath('application.log'),
    );
  });
  test.beforeEach(({ context }) => application.signIn(context));
  test.afterAll(async () => {
    await application?.stop();
    await Promise.all([provider?.close(), other?.close()]);
  });

  const openFleet = (page: Page, usdot: string) => page.goto(`${application.url}/fleets/${usdot}`);

  const LIVE = /\/api\/fleets\/\d+\/live(\?|$)/;

  test('from a first answer that fails to an old copy', async ({ page, context }) => {
    await page.clock.install();
    provider.behave(USDOT, 'serverError');
    await openFleet(page, USDOT);
    await expect(list(page).getByRole('heading', { name: 'No data yet' })).toBeVisible();
    await expectAccessible(page);
    provider.behave(USDOT, 'good');
    await expectLive(page);
    provider.behave(USDOT, 'mostBadUnits');
    await expect(pill(page)).toContainText(/^Partly read · /, SOON);
    await expectAccessible(page);
    provider.behave(USDOT, 'otherClock');
    await expect(pill(page)).toContainText(/^Doubtful · /, SOON);
    await expectAccessible(page, NOTICES);
    await context.setOffline(true);
    await expect(notices(page)).toContainText('This computer is offline');
    await expectAccessible(page, NOTICES);
    await context.setOffline(false);
    await expect(pill(page)).toContainText(/^Doubtful · /, SOON);
    provider.behave(USDOT, 'tooManyForADay');
    await expect(notices(page).getByRole('button', { name: 'Try now' })).toBeVisible(SOON);
    // Without answers, no Date header shows that the browser's clock is ahead.
    await page.route(LIVE, () => undefined);
    await page.clock.fastForward(40_000);
    await expect(page.getByRole('group', { name: 'Filter by status' })).toContainText('As of');
    await expectAccessible(page);
    provider.behave(USDOT, 'good');
  });

  test('on an empty fleet, the menu of fleets, and a newer server', async ({ page }) => {
    await page.route(LIVE, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-linehaul-build': 'another' } });
    });
    await openFleet(page, OTHER);
    await expect(list(page).getByRole('heading', { name: 'No active units' })).toBeVisible();
    await expect(notices(page)).toContainText('Linehaul was updated.');
    await expectAccessible(page);
    await page.keyboard.press('g');
    await expect(page.getByRole('menuitem', { name: 'Mesa Verde Lines' })).toBeVisible();
    await expectNoViolation(page, 'light');
    await expectNoViolation(page, 'dark');
    await page.setViewportSize(PHONE);
    await page.goto(`${application.url}/fleets/${USDOT}/roster`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('menuitem', { name: 'Cedar Ridge Haulers' })).toBeVisible();
    await expectNoViolation(page, 'light');
    await expectNoViolation(page, 'dark');
  });

  test('on the status page, and where a provider has the keys and the devices', async ({ page }) => {
    other.behave(OTHER, 'unauthorized');
    await page.goto(`${application.url}/status`);
    const card = page.getByRole('article', { name: 'Cedar Ridge Haulers' });
    await expect(card).toContainText("The tracking provider refuses this server's credentials.", SOON);
    await card.getByText('For an engineer').click();
    await expect(card.getByText('TrackingAuthError').first()).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${application.url}/api-keys`);
    await expect(page.getByText('More → API Keys')).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${application.url}/devices`);
    await expect(page.getByText('Their devices report there')).toBeVisible();
    await expectAccessible(page);
  });
});
