import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import { LAUNCH } from './browser';

export type Form = 'phone' | 'desktop';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

/** What one run of Lighthouse found. Scores are points of 100. */
export interface Audit {
  performance: number;
  accessibility: number;
  bestPractices: number;
  largestPaintMs: number;
  blockingMs: number;
  layoutShift: number;
  /** Names of the audits of accessibility and best practices that failed. */
  failed: string[];
}

const listFailed = ({ categories, audits }: Result): string[] =>
  CATEGORIES.slice(1)
    .flatMap((category) => categories[category]!.auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]!.score ?? 1) < 1)
    .map(({ id }) => id);

const toAudit = (result: Result): Audit => {
  const { categories, audits } = result;
  const toPoints = (category: (typeof CATEGORIES)[number]): number => 100 * categories[category]!.score!;
  const toValue = (id: string): number => audits[id]!.numericValue!;
  return {
    performance: toPoints('performance'),
    accessibility: toPoints('accessibility'),
    bestPractices: toPoints('best-practices'),
    largestPaintMs: toValue('largest-contentful-paint'),
    blockingMs: toValue('total-blocking-time'),
    layoutShift: toValue('cumulative-layout-shift'),
    failed: listFailed(result),
  };
};

/** Runs Lighthouse with its own preset for a form, in a browser of its own. @throws Error when it could not load the page */
export const runLighthouse = async (url: string, form: Form): Promise<Audit> => {
  const chrome = await launch({
    chromePath: LAUNCH.executablePath,
    chromeFlags: ['--headless', ...LAUNCH.args],
    logLevel: 'error',
  });
  try {
    const flags = { port: chrome.port, logLevel: 'error' as const, onlyCategories: [...CATEGORIES] };
    const run = await lighthouse(url, flags, form === 'desktop' ? desktopConfig : undefined);
    if (!run || run.lhr.runtimeError)
      throw new Error(run?.lhr.runtimeError?.message ?? 'Lighthouse gave no result.');
    return toAudit(run.lhr);
  } finally {
    chrome.kill();
  }
};
