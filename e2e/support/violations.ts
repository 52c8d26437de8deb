import type { Page } from '@playwright/test';

/** Collects every policy violation and console error of a page from here on. Returns those found so far. */
export const watchViolations = async (page: Page): Promise<() => string[]> => {
  const found: string[] = [];
  await page.exposeFunction('reportViolation', (text: string) => void found.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { reportViolation } = window as unknown as { reportViolation: (text: string) => void };
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
      reportViolation(`${effectiveDirective} against ${blockedURI} at ${sourceFile}:${lineNumber} ${sample}`);
    });
  });
  page.on('console', (message) => {
    // The browser reports a missing file itself, not one of our scripts.
    const isNotFound = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isNotFound) found.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => void found.push(`error: ${error.message}`));
  return () => found;
};
