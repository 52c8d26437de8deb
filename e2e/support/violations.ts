import type { Page } from '@playwright/test';

/**
 * Collects from here on what a page does against its own policy, and every error that it writes to the console. Returns
 * what was found so far.
 */
export const watchViolations = async (page: Page): Promise<() => string[]> => {
  const found: string[] = [];
  await page.exposeFunction('tellViolation', (words: string) => void found.push(words));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { tellViolation } = window as unknown as { tellViolation: (words: string) => void };
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
      tellViolation(`${effectiveDirective} against ${blockedURI} at ${sourceFile}:${lineNumber} ${sample}`);
    });
  });
  page.on('console', (message) => {
    // A file that is not there is said by the browser, not by a script of ours.
    const isNotFound = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isNotFound) found.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => void found.push(`error: ${error.message}`));
  return () => found;
};
