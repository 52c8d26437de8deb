import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** Script, session and the first poll, on a machine that does much else. */
const LIVE_WITHIN_MS = 45_000;

/** Where the fleet screen tells how old what it shows is, and what is wrong. */
export const pill = (page: Page): Locator => page.getByRole('button', { name: /Show ages/ });
export const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notices' });
export const list = (page: Page): Locator => page.getByRole('region', { name: 'List of units' });

/** Waits until the fleet is shown as it is now. */
export const expectLive = (page: Page): Promise<void> =>
  expect(pill(page)).toContainText(/^Live/, { timeout: LIVE_WITHIN_MS });

/** Counts from here on how often the page is loaded anew. */
export const watchLoads = (page: Page): (() => number) => {
  let loads = 0;
  page.on('load', () => loads++);
  return () => loads;
};
