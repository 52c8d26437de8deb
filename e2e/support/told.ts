import type { Locator, Page } from '@playwright/test';

/** Where the fleet screen tells how old what it shows is, and what is wrong. */
export const pill = (page: Page): Locator => page.getByRole('button', { name: /How old is what is shown/ });
export const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notices' });
export const list = (page: Page): Locator => page.getByRole('region', { name: 'List of units' });

/** Counts from here on how often the page is loaded anew. */
export const watchLoads = (page: Page): (() => number) => {
  let loads = 0;
  page.on('load', () => loads++);
  return () => loads;
};
