import type { Browser, Page } from '@playwright/test';
import { openPhone } from './browser';

/** After the live map: by then the base map and the names of places have arrived. */
const SETTLED_MS = 4000;
const SCREENSHOTS_AT_MS = [1000, 2000, 3000];

declare global {
  interface Window {
    /** Milliseconds from the start of the navigation until the first frame with a truck on the map. */
    firstTruckMs: Promise<number>;
    /** … until the live map has drawn one. */
    liveMapMs: Promise<number>;
  }
}

/** Milliseconds are counted from the start of the navigation. */
export interface LoadedRequest {
  path: string;
  /** When the page wanted it, when it was sent, and when its last byte arrived. */
  startMs: number;
  sentMs: number;
  endMs: number;
  /** Compressed bytes of the body. */
  bytes: number;
}

/** What one load of the start page with an empty cache took on the slow phone. */
export interface PhoneLoad {
  firstTruckMs: number;
  liveMapMs: number;
  requests: LoadedRequest[];
  /** Compressed bytes of the scripts that were requested before the live map was drawn. */
  scriptBytes: number;
  styleSheets: number;
  redirects: number;
}

/** Runs in the page. */
const watchTrucks = (): void => {
  const until = (isThere: () => boolean): Promise<number> =>
    new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isThere()) return;
        observer.disconnect();
        // The first task after the frame; a page that waits for its style sheets has no frames.
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      });
      observer.observe(document, { subtree: true, childList: true, attributeFilter: ['data-drawn-units'] });
    });
  const readDrawn = (): number =>
    Number(document.querySelector<HTMLElement>('.leaflet-container')?.dataset.drawnUnits ?? 0);
  window.liveMapMs = until(() => readDrawn() > 0);
  window.firstTruckMs = until(
    () => readDrawn() > 0 || document.querySelector('section svg path[d$="h0"]') !== null,
  );
};

/** Opens the start page and waits for the live map. */
const openStartPage = async (
  page: Page,
  url: string,
): Promise<Pick<PhoneLoad, 'firstTruckMs' | 'liveMapMs'>> => {
  await page.addInitScript(watchTrucks);
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(async () => ({
    firstTruckMs: await window.firstTruckMs,
    liveMapMs: await window.liveMapMs,
  }));
};

/** Runs in the page. Requests to other hosts fail and are left out. */
const readRequests = () => {
  const toRequest = (entry: PerformanceResourceTiming): LoadedRequest => ({
    path: new URL(entry.name).pathname,
    startMs: entry.fetchStart,
    sentMs: entry.requestStart,
    endMs: entry.responseEnd,
    bytes: entry.encodedBodySize,
  });
  const [navigation] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
  const resources = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ name }) => name.startsWith(location.origin),
  );
  const { redirectStart, redirectEnd } = navigation;
  const redirect = {
    path: 'redirect',
    startMs: redirectStart,
    sentMs: redirectStart,
    endMs: redirectEnd,
    bytes: 0,
  };
  return {
    requests: [...(redirectEnd > 0 ? [redirect] : []), ...[navigation, ...resources].map(toRequest)],
    redirects: navigation.redirectCount,
    styleSheets: resources.filter(
      (entry) =>
        (entry as { renderBlockingStatus?: string }).renderBlockingStatus === 'blocking' &&
        entry.name.endsWith('.css'),
    ).length,
  };
};

/** Loads the start page on the slow phone. */
export const loadOnPhone = async (browser: Browser, url: string): Promise<PhoneLoad> => {
  const { page, close } = await openPhone(browser);
  const { firstTruckMs, liveMapMs } = await openStartPage(page, url);
  await page.waitForTimeout(SETTLED_MS);
  const { requests, ...counts } = await page.evaluate(readRequests);
  await close();
  const scriptBytes = requests
    .filter(({ path, startMs }) => path.endsWith('.js') && startMs < liveMapMs)
    .reduce((sum, { bytes }) => sum + bytes, 0);
  return { firstTruckMs, liveMapMs, requests, scriptBytes, ...counts };
};

/** What the slow phone shows one, two and three seconds after the start of the navigation, as PNGs. */
export const filmPhone = async (browser: Browser, url: string): Promise<{ atMs: number; png: Buffer }[]> => {
  const { page, cdp, close } = await openPhone(browser);
  const frames: { atMs: number; png: Buffer }[] = [{ atMs: -Infinity, png: await page.screenshot() }];
  cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ atMs: (metadata.timestamp ?? 0) * 1000, png: Buffer.from(data, 'base64') });
    // The page may be closed before the last acknowledgment arrives.
    cdp.send('Page.screencastFrameAck', { sessionId }).catch((error: Error) => console.warn(error.message));
  });
  await cdp.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
  await openStartPage(page, url);
  const startedAtMs = await page.evaluate(() => performance.timeOrigin);
  await page.waitForTimeout(Math.max(0, startedAtMs + SCREENSHOTS_AT_MS.at(-1)! - Date.now()));
  await cdp.send('Page.stopScreencast');
  await close();
  return SCREENSHOTS_AT_MS.map((atMs) => ({
    atMs,
    png: frames.findLast((frame) => frame.atMs <= startedAtMs + atMs)!.png,
  }));
};
