import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** Time for script, session and the first poll on a busy machine. */
const LIVE_WITHIN_MS = 45_000;

/** Where the fleet screen shows the age of its data and what is wrong. */
export const pill = (page: Page): Locator => page.getByRole('button', { name: /Show ages/ });
export const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notices' });
export const list = (page: Page): Locator => page.getByRole('region', { name: 'List of units' });

/** Waits until the fleet is shown as current. */
export const expectLive = (page: Page): Promise<void> =>
  expect(pill(page)).toContainText(/^Live/, { timeout: LIVE_WITHIN_MS });

/** Counts page loads from here on. */
export const watchLoads = (page: Page): (() => number) => {
  let loads = 0;
  page.on('load', () => loads++);
  return () => loads;
};
