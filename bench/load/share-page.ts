import type { Browser } from '@playwright/test';
import { openPhone } from './browser';

/** What one opening of a customer's page took on the slow phone. */
export interface SharePageLoad {
  /** From the start of the navigation until the first frame with the truck on the map. */
  positionMs: number;
  requests: number;
  /** Bytes of the document, before and after compression. */
  bytes: number;
  sentBytes: number;
}

/** Runs in the page. Resolves after the first frame that has the truck. */
const waitForTruck = (): Promise<number> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (document.querySelector('main svg .gl') === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });

/** Opens a link with an empty cache on the slow phone. */
export const loadSharePage = async (browser: Browser, url: string): Promise<SharePageLoad> => {
  const { page, close } = await openPhone(browser);
  await page.goto(url, { waitUntil: 'commit' });
  const positionMs = await page.evaluate(waitForTruck);
  const sizes = await page.evaluate(() => {
    const [document] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
    return {
      bytes: document.decodedBodySize,
      sentBytes: document.encodedBodySize,
      requests: 1 + performance.getEntriesByType('resource').length,
    };
  });
  await close();
  return { positionMs, ...sizes };
};
