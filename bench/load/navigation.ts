import type { Browser, Locator, Page } from '@playwright/test';
import { openDesktop } from './browser';
import type { Demo } from './demo';

/** Scripts, places and the base map's tiles have arrived by then. */
const SETTLED_MS = 3000;
/** A hand rests on a link about this long before it presses. */
const RESTS_MS = 300;
const FULL_DOWNLOAD = /\/api\/fleets\/\d+\/live$/;
const MAP = '.leaflet-container';
/** Chromium's headless shell restores no page from the cache, whatever the page does. */
const OF_THE_BROWSER = 'BackForwardCacheDisabledForDelegate';

declare global {
  interface Window {
    /** Milliseconds from the next click until the page that it leads to is shown. */
    arrivedAfterMs: Promise<number>;
    canvas: Element | null;
  }
}

/** One way through the loaded application: map, vehicle, roster, map. */
export interface Tour {
  mapToVehicleMs: number;
  vehicleToRosterMs: number;
  rosterToMapMs: number;
  /** Requests for the whole fleet after the first. */
  fullDownloads: number;
  isCanvasKept: boolean;
}

/** Runs in the page. */
const watchArrival = ([path, selector]: readonly [string, string]): void => {
  const isThere = (): boolean =>
    new RegExp(path).test(location.pathname) &&
    [...document.querySelectorAll(selector)].some((element) => element.checkVisibility());
  window.arrivedAfterMs = new Promise((resolve) => {
    const onClick = ({ timeStamp }: MouseEvent): void => {
      const check = (): void => {
        if (isThere()) resolve(performance.now() - timeStamp);
        else requestAnimationFrame(check);
      };
      requestAnimationFrame(check);
    };
    document.addEventListener('click', onClick, { once: true, capture: true });
  });
};

const timeClick = async (page: Page, link: Locator, path: string, selector: string): Promise<number> => {
  await page.evaluate(watchArrival, [path, selector] as const);
  await link.hover();
  await page.waitForTimeout(RESTS_MS);
  await link.click();
  return page.evaluate(() => window.arrivedAfterMs);
};

const openMap = async (page: Page, { url, paths }: Demo): Promise<void> => {
  await page.goto(`${url}${paths.map}`);
  await page.locator(`${MAP}[data-drawn-units]`).waitFor();
  await page.getByRole('option').first().waitFor();
  await page.waitForTimeout(SETTLED_MS);
};

/** Clicks through the pages of a loaded application on a desktop. */
export const takeTour = async (browser: Browser, demo: Demo): Promise<Tour> => {
  const { page, close } = await openDesktop(browser);
  await openMap(page, demo);
  let fullDownloads = 0;
  page.on('request', (request) => {
    if (FULL_DOWNLOAD.test(request.url())) fullDownloads++;
  });
  await page.evaluate((map) => (window.canvas = document.querySelector(`${map} canvas`)) !== null, MAP);
  await page.getByRole('option').first().click();
  const rail = page.getByRole('navigation', { name: 'Pages' });
  const tour = {
    mapToVehicleMs: await timeClick(
      page,
      page.getByRole('link', { name: 'Open truck' }),
      '/units/[^/]+$',
      'h1',
    ),
    vehicleToRosterMs: await timeClick(page, rail.getByRole('link', { name: 'Roster' }), '/roster$', 'h1'),
    rosterToMapMs: await timeClick(
      page,
      rail.getByRole('link', { name: 'Map' }),
      '^/(fleets/\\d+)?$',
      `${MAP}[data-drawn-units] canvas`,
    ),
  };
  const isCanvasKept = await page.evaluate(
    (map) => document.querySelector(`${map} canvas`) === window.canvas,
    MAP,
  );
  await close();
  return { ...tour, fullDownloads, isCanvasKept };
};

/** What in the map's page keeps Chromium from restoring it from the back/forward cache. */
export const readReloadReasons = async (browser: Browser, demo: Demo): Promise<string[]> => {
  const { page, cdp, close } = await openDesktop(browser);
  const reasons: string[] = [];
  await cdp.send('Page.enable');
  cdp.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
    reasons.push(
      ...notRestoredExplanations.map(({ reason }) => reason).filter((reason) => reason !== OF_THE_BROWSER),
    ),
  );
  await openMap(page, demo);
  await page.goto('about:blank');
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForTimeout(SETTLED_MS);
  await close();
  return reasons;
};
