/**
 * A browser without a network: what it shows, how it comes back, and what deletes what it keeps. The application stands
 * behind a proxy that can be cut, because switching a browser's network off does not reach its service worker.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { DEMO_USDOT, type Application } from './support/application';
import { companyTest as test, expect } from './support/fixtures';
import { expectAccessible } from './support/axe';
import { createFleetPage, expectLive, notices, pill } from './support/fleet-page';
import { startFront, type Front } from './support/front';
import { LONG } from './support/long';
import { sendAsPage, toBrowserCookie } from './support/session';
import { watchViolations } from './support/violations';

const PAGE = `/fleets/${DEMO_USDOT}`;
const FLEET = `/api/fleets/${DEMO_USDOT}/live`;
const NEXT_BUILD = 'the-next-build-of-the-test';
/** A copy is first written some seconds after a page was opened. */
const KEPT_WITHIN = { timeout: 30_000 };

test.setTimeout(180_000);

let front: Front;
let context: BrowserContext;

test.beforeEach(async ({ browser, company }) => {
  const { headers } = await company.application.fetch(FLEET);
  front = await startFront(company.application.url, headers.get('x-linehaul-build')!);
  context = await browser.newContext({ serviceWorkers: 'allow' });
  await enter(company.application.cookie);
});
test.afterEach(async () => {
  await context.close();
  await front.close();
});

/** The browser gets another session, as after signing in. */
const enter = async (cookie: string): Promise<void> => {
  await context.clearCookies();
  await context.addCookies([toBrowserCookie(front.url, cookie)]);
};

/** The paths of the copies, and the builds that wrote them. */
const readCopies = (page: Page): Promise<{ paths: string[]; builds: string[] }> =>
  page.evaluate(async () => {
    const all: [string, Response][] = [];
    for (const name of (await caches.keys()).filter((each) => each === 'linehaul-copies')) {
      const cache = await caches.open(name);
      for (const key of await cache.keys()) all.push([new URL(key.url).pathname, (await cache.match(key))!]);
    }
    return {
      paths: all.map(([path]) => path).sort(),
      builds: all.map(([, copy]) => copy.headers.get('x-linehaul-copy-build') ?? ''),
    };
  });

/** The builds whose offline page is stored: that of the worker that is active, once it has deleted the last one's. */
const readWorkerBuilds = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        if (new URL(url).pathname === '/offline') found.push(...new URL(url).searchParams.values());
    return found;
  });

const expectKept = async (page: Page): Promise<void> => {
  await expect.poll(async () => (await readCopies(page)).paths, KEPT_WITHIN).toEqual([FLEET, PAGE]);
  // The fleet of another moment than the copy's would be shown first, as if it were live.
  const html = await page.evaluate(async (path) => (await caches.match(path))!.text(), PAGE);
  expect(html).toContain('Waiting for data');
  expect(html).not.toMatch(/Live · \d/);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
};

const expectNothingKept = (page: Page): Promise<void> =>
  expect.poll(async () => (await readCopies(page)).paths).toEqual([]);

const openKept = async (): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`${front.url}${PAGE}`);
  await expectLive(page);
  await expectKept(page);
  return page;
};

const goOffline = async (): Promise<void> => {
  await front.cut();
  await context.setOffline(true);
};
const goOnline = async (): Promise<void> => {
  await front.restore();
  await context.setOffline(false);
};

/** Opens the start page without a network, and expects the last known fleet with its base map. */
const expectOfflineFleet = async (): Promise<Page> => {
  const page = await context.newPage();
  const found = await watchViolations(page);
  await page.goto(`${front.url}/`);
  // The map adds its camera to the address.
  await expect(page).toHaveURL(({ pathname }) => pathname === PAGE);
  await expect(pill(page)).toContainText(/^Offline · as of \d{1,2}:\d\d:\d\d [AP]M/);
  const fleet = createFleetPage(page);
  await expect.poll(async () => (await fleet.readDrawn()).units).toBeGreaterThan(0);
  await expect(fleet.options.first()).toContainText(/\d/);
  await expect(notices(page)).toContainText('This computer ');
  await expect(page.getByText('The map’s outlines could not be loaded')).toHaveCount(0);
  expect(found()).toEqual([]);
  return page;
};

const expectNoFleet = async (page: Page): Promise<void> => {
  await page.goto(`${front.url}${PAGE}`);
  await expect(page.getByRole('heading', { name: 'Linehaul cannot be reached' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open the last known map' })).toHaveCount(0);
};

test('a browser without a network opens the last known fleet, and is live again by itself; signing out deletes it', async () => {
  const first = await openKept();
  const { errors, data } = await (await context.newCDPSession(first)).send('Page.getAppManifest');
  expect([errors, data]).toEqual([[], expect.stringContaining('start_url')]);
  await first.close();
  await goOffline();
  const page = await expectOfflineFleet();
  await expectAccessible(page);
  await createFleetPage(page).options.first().click();
  await expect(createFleetPage(page).panel).toBeVisible();
  const unit = new URL(page.url()).searchParams.get('unit');
  const other = await context.newPage();
  await test.step('what needs the server waits for it, and leads to the map of its fleet', async () => {
    const mapLink = other.getByRole('link', { name: 'Open the last known map' });
    await other.goto(`${front.url}${PAGE}/units/${unit}`);
    await mapLink.click();
    await expect(createFleetPage(other).panel).toContainText(unit!);
    await other.goto(`${front.url}${PAGE}/roster`);
    await expect(mapLink).toHaveAttribute('href', PAGE);
    await expectAccessible(other);
  });
  await goOnline();
  await expect(other.getByRole('heading', { name: 'Roster' })).toBeVisible();
  await other.close();
  await expectLive(page);
  await expect(notices(page)).toBeHidden();

  await test.step('a deployment replaces what is stored', async () => {
    front.deploy(NEXT_BUILD);
    await expect(notices(page)).toContainText('Linehaul was updated.');
    await page.getByRole('button', { name: 'Reload' }).click();
    await expectLive(page);
    await expect
      .poll(async () => (await readCopies(page)).builds, KEPT_WITHIN)
      .toEqual([NEXT_BUILD, NEXT_BUILD]);
    await expect.poll(() => readWorkerBuilds(page), KEPT_WITHIN).toEqual([NEXT_BUILD]);
    await goOffline();
    await (await expectOfflineFleet()).close();
    await goOnline();
    await expectLive(page);
  });

  await test.step('signing out', async () => {
    await page.route('**/api/auth/sign-out', (route) => route.abort());
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // The session is of the tests that come after this one: the request does not arrive, as without a network.
    await expectNothingKept(page);
    await goOffline();
    await expectNoFleet(page);
  });
});

/** Makes a wall screen of the demo fleet; its cookie, and what takes it away. */
const makeWallScreen = async ({ url, cookie }: Application) => {
  const made = await sendAsPage(url, '/api/screens', { name: 'Offline wall', usdots: [DEMO_USDOT] }, cookie);
  const { screen, token } = (await made.json()) as { screen: { id: string }; token: string };
  const opened = await sendAsPage(url, '/api/screen', { token });
  return {
    cookie: opened.headers.getSetCookie()[0]!.split(';', 1)[0]!,
    takeAway: () =>
      fetch(`${url}/api/screens/${screen.id}`, { method: 'DELETE', headers: { origin: url, cookie } }),
  };
};

test(
  'the next viewer finds nothing of the last one, and a wall screen that is taken away keeps nothing',
  LONG,
  async ({ company }) => {
    const screen = await makeWallScreen(company.application);
    await (await openKept()).close();
    await enter(screen.cookie);
    const page = await context.newPage();
    await page.goto(`${front.url}${PAGE}`);
    await expect(page).toHaveURL(/\/screen\/\d+$/);
    // Before the screen's own copy, which is written some seconds later.
    await expectNothingKept(page);
    await expect
      .poll(async () => (await readCopies(page)).paths, KEPT_WITHIN)
      .toEqual(expect.arrayContaining([`/screen/${DEMO_USDOT}`]));
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await goOffline();
    const wall = await context.newPage();
    await wall.goto(`${front.url}/`);
    await expect(wall).toHaveURL(/\/screen\/\d+$/);
    await expect(wall.getByText(/^Offline · as of/)).toBeVisible();
    await expect(wall.getByText('Test Manager')).toHaveCount(0);
    expect((await screen.takeAway()).ok).toBe(true);
    await goOnline();
    await expect(wall).toHaveURL(/\/sign-in/, KEPT_WITHIN);
    await expectNothingKept(wall);
    await goOffline();
    await expectNoFleet(wall);
  },
);

test('a browser whose network neither answers nor fails opens the last known fleet', LONG, async () => {
  await (await openKept()).close();
  front.stall();
  const page = await context.newPage();
  await page.goto(`${front.url}${PAGE}`);
  await expect(pill(page)).toContainText('Waiting for data');
  await expect(pill(page)).toContainText(
    /^(Delayed · data from|No connection · showing) \d{1,2}:\d\d:\d\d [AP]M/,
    KEPT_WITHIN,
  );
  await expect(createFleetPage(page).options.first()).toContainText(/\d/);
});
