/** What a page is on paper. */
import { expect, type Page } from '@playwright/test';

/** US Letter on its side, less its margins, at 96 pixels an inch. */
export const PAPER = { width: 960, height: 720 };

interface Printed {
  pages: number;
  /** Width and height in pixels of each picture, such as a map's canvas. */
  pictures: [width: number, height: number][];
}

/** Prints the page by the browser. */
export const print = async (page: Page): Promise<Printed> => {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const images = pdf.match(/<<(?:(?!endobj)[^])*?\/Subtype \/Image(?:(?!endobj)[^])*?>>/g) ?? [];
  const numberOf = (image: string, name: string): number =>
    Number(new RegExp(`/${name} (\\d+)`).exec(image)?.[1]);
  return {
    pages: pdf.match(/\/Type \/Page\b/g)?.length ?? 0,
    pictures: images.map((image) => [numberOf(image, 'Width'), numberOf(image, 'Height')]),
  };
};

interface Paper {
  head: string;
  rows: number;
  faults: string[];
}

/** Runs in the page. What is cut off or lies beside the paper. */
export const readPaper = (): Paper => {
  const faults: string[] = [];
  const root = document.documentElement;
  // A scrollbar, which paper has not, takes a part of it.
  if (root.scrollWidth > innerWidth)
    faults.push(`${root.scrollWidth} pixels are wider than the paper of ${innerWidth}`);
  for (const element of document.querySelectorAll<HTMLElement>('main, main *')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const shown = element.closest('[data-print="as-shown"]');
    if (element.matches('.visually-hidden, .visually-hidden *, svg *, progress, input, select, textarea'))
      continue;
    if (shown !== null && shown !== element) continue;
    const { right } = element.getBoundingClientRect();
    const { overflowX, overflowY } = getComputedStyle(element);
    const isCut =
      shown === null &&
      ((overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
        (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1));
    if (isCut) faults.push(`cut off: ${element.outerHTML.slice(0, 120)}`);
    if (right > innerWidth + 1) faults.push(`beside the paper: ${element.outerHTML.slice(0, 120)}`);
  }
  return {
    head: document.querySelector('main')?.previousElementSibling?.textContent ?? '',
    rows: [...document.querySelectorAll('main tr, main li')].filter((row) => row.checkVisibility()).length,
    faults,
  };
};

/** Runs in the page. Applies the rules for print to the screen, for browsers whose drivers cannot emulate paper. */
export const applyPrintStyle = (): void => {
  const texts: string[] = [];
  const collect = (rules: CSSRuleList): void => {
    for (const rule of rules) {
      if (!(rule instanceof CSSGroupingRule)) continue;
      if (rule instanceof CSSMediaRule && rule.media.mediaText === 'print')
        texts.push(...[...rule.cssRules].map(({ cssText }) => cssText));
      else collect(rule.cssRules);
    }
  };
  for (const { cssRules } of document.styleSheets) collect(cssRules);
  const style = new CSSStyleSheet();
  style.replaceSync(texts.join('\n'));
  document.adoptedStyleSheets = [style];
  dispatchEvent(new Event('beforeprint'));
};

/** The page as it is laid out for paper; afterwards it is as before. */
export const layOutForPaper = async (page: Page): Promise<Paper> => {
  const before = page.viewportSize();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(PAPER);
  const paper = await page.evaluate(readPaper);
  await page.emulateMedia({ media: null });
  if (before !== null) await page.setViewportSize(before);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  return paper;
};

/** Expects that the page prints whole, at the width of the paper, below a head with these texts and the time. */
export const expectWholeOnPaper = async (page: Page, ...heads: string[]): Promise<Paper> => {
  // The code of the head comes once the map is there.
  await page.waitForLoadState('networkidle');
  const paper = await layOutForPaper(page);
  expect(paper.faults, `${page.url()} on paper`).toEqual([]);
  for (const head of [...heads, 'Printed ']) expect(paper.head).toContain(head);
  return paper;
};
