/** Whether a page keeps its meaning in a contrast theme of Windows, which replaces backgrounds and removes shadows. */
import { expect, type Page } from '@playwright/test';

/** Runs in the page. Remembers the shapes without text that are painted by a background. */
const findPainted = (): void => {
  const painted = [...document.body.querySelectorAll<HTMLElement>('*')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .flatMap((element) =>
      [null, '::before', '::after'].flatMap((pseudo) => {
        if (!isShape(element, pseudo)) return [];
        const { backgroundColor, backgroundImage } = getComputedStyle(element, pseudo);
        const isSeen =
          backgroundImage !== 'none' ||
          (isOpaque(backgroundColor) && backgroundColor !== backdropOf(element, pseudo));
        return isSeen ? [{ element, pseudo }] : [];
      }),
    );
  Object.assign(window, { painted });

  function isShape(element: HTMLElement, pseudo: string | null): boolean {
    if (element.closest('.leaflet-container, svg, .mantine-Skeleton-root, .mantine-Modal-overlay') !== null)
      return false;
    const { width, height, content, opacity } = getComputedStyle(element, pseudo);
    if (pseudo !== null)
      return content === '""' && opacity !== '0' && parseFloat(width) > 1 && parseFloat(height) > 1;
    const box = element.getBoundingClientRect();
    const isLeaf = element.childElementCount === 0 && element.textContent.trim() === '';
    return (
      isLeaf &&
      !element.matches('input, select, textarea, canvas, img, progress, iframe') &&
      Math.min(box.width, box.height) > 1
    );
  }
  function isOpaque(color: string): boolean {
    return !/^(transparent|rgba\(.*, 0\))$/.test(color);
  }
  function backdropOf(element: HTMLElement, pseudo: string | null): string {
    for (let at = pseudo === null ? element.parentElement : element; at !== null; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (isOpaque(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  }
};

/** Runs in the page, in a contrast theme. The shapes that have vanished, and what is chosen without a sign of it. */
const findLost = (): string[] => {
  const { painted } = window as unknown as { painted: { element: HTMLElement; pseudo: string | null }[] };
  const nameOf = (element: HTMLElement, pseudo: string | null): string =>
    `${element.outerHTML.slice(0, 120)}${pseudo ?? ''}`;
  const hasFrame = ({
    outlineStyle,
    borderTopStyle,
    borderTopWidth,
    borderBottomStyle,
    borderBottomWidth,
  }: CSSStyleDeclaration): boolean =>
    outlineStyle !== 'none' ||
    (borderTopStyle !== 'none' && borderTopWidth !== '0px') ||
    (borderBottomStyle !== 'none' && borderBottomWidth !== '0px');
  const vanished = painted
    .filter(({ element }) => element.isConnected && element.checkVisibility({ visibilityProperty: true }))
    .filter(({ element, pseudo }) => {
      const style = getComputedStyle(element, pseudo);
      return style.forcedColorAdjust !== 'none' && !hasFrame(style);
    })
    .map(({ element, pseudo }) => `vanished: ${nameOf(element, pseudo)}`);
  const chosen = [
    ...document.querySelectorAll<HTMLElement>(
      '[aria-pressed=true], [aria-selected=true], [aria-checked=true], [aria-current]:not([aria-current=false])',
    ),
  ]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => getComputedStyle(element).outlineStyle === 'none' && !element.matches('input'))
    .map((element) => `not seen to be chosen: ${nameOf(element, null)}`);
  return [...vanished, ...chosen];
};

/** Expects that no bar, mark or choice of the page rests on a background alone. */
export const expectContrastTheme = async (page: Page): Promise<void> => {
  await page.evaluate(findPainted);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await page.evaluate(findLost), `${page.url()} in a contrast theme`).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
};
