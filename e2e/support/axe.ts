import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { expectContrastTheme } from './contrast-theme';
import { expectSoundLayout } from './layout';

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1600, height: 900 };
export const DIALOG = '[role=dialog]';
export const NOTICES = '[aria-label=Notices]';

const CONTRAST = ['color-contrast', 'link-in-text-block'];
/** Rules that axe leaves out by default. */
const EXPERIMENTAL = { 'label-content-name-mismatch': { enabled: true } };
/** Time for a few polls on a busy machine. */
const SOON = { timeout: 30_000 };

/** Runs axe on the page or a part of it: all rules in the light theme, the contrast rules in the dark one. */
export const expectNoViolation = async (
  page: Page,
  colorScheme: 'light' | 'dark',
  part?: string,
): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  // The colors may still be in transition to the other theme.
  await expect(async () => {
    // No page has frames: legacy mode needs no extra page to join their results and takes half the time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({
      resultTypes: ['violations'],
      preload: false,
      ...(colorScheme === 'dark' ? { runOnly: { type: 'rule', values: CONTRAST } } : { rules: EXPERIMENTAL }),
    });
    const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
    expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
  }).toPass(SOON);
};

const isLong = process.env.LINEHAUL_TEST_LONG === '1';

/**
 * Checks the page or a part of it in the light theme on a phone, and in the dark theme and a contrast theme on a desktop,
 * and leaves it there; `npm run test:long` also checks its layout.
 */
export const expectAccessible = async (page: Page, part?: string): Promise<void> => {
  if (isLong) await expectSoundLayout(page);
  await page.setViewportSize(PHONE);
  await expectNoViolation(page, 'light', part);
  await page.setViewportSize(DESK);
  await expectNoViolation(page, 'dark', part);
  await expectContrastTheme(page);
};

/** The same for a page that shows other things on a desktop than on a phone: in the light theme on a desktop as well. */
export const expectAccessibleLayouts = async (page: Page): Promise<void> => {
  await expectAccessible(page);
  await expectNoViolation(page, 'light');
};

/**
 * Checks an answer that is no page of the application, such as a document: all rules, in the light theme on a phone and in the
 * dark one on a desktop; `npm run test:long` also the other way around.
 */
export const expectAccessibleAnswer = async (page: Page): Promise<void> => {
  for (const [size, colorScheme] of [
    [PHONE, 'light'],
    [DESK, 'dark'],
    ...(isLong
      ? ([
          [PHONE, 'dark'],
          [DESK, 'light'],
        ] as const)
      : []),
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join()}`,
    );
    expect(found, `${page.url()} in ${colorScheme}, ${size.width} px wide`).toEqual([]);
  }
};
