'use client';

import { useEffect } from 'react';

/** US Letter on its side with half an inch of margin, as `@page` has it, at 96 px an inch. */
const PAPER = { widthPx: 960, heightPx: 720 };

type Undo = () => void;

const setAttribute = (element: Element, name: string): Undo => {
  if (element.hasAttribute(name)) return () => undefined;
  element.setAttribute(name, '');
  return () => element.removeAttribute(name);
};

const setStyle = (element: HTMLElement, values: Record<string, string>): Undo => {
  const before = element.getAttribute('style');
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value);
  return () => (before === null ? element.removeAttribute('style') : element.setAttribute('style', before));
};

const isShown = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });

/** An element and those around it, up to the page. */
const listUpTo = (page: HTMLElement, element: HTMLElement): HTMLElement[] => {
  const around: HTMLElement[] = [];
  for (let at: HTMLElement | null = element; at !== null; at = at === page ? null : at.parentElement)
    around.push(at);
  return around;
};

/** What scrolls on the screen is whole on paper; app/theme.css has the rules. */
const showWhole = (page: HTMLElement): Undo[] =>
  [page, ...page.querySelectorAll<HTMLElement>('*')]
    .filter(
      (element) =>
        element.scrollHeight > element.clientHeight + 1 &&
        /auto|scroll/.test(getComputedStyle(element).overflowY) &&
        isShown(element) &&
        element.closest('[data-print="as-shown"]') === null,
    )
    .flatMap((element) => listUpTo(page, element).map((each) => setAttribute(each, 'data-whole')));

/** A map keeps what it shows: a page with one has the layout of the screen, at a scale at which it fits the paper. */
const keepMaps = (page: HTMLElement): Undo[] => {
  const maps = [...page.querySelectorAll<HTMLElement>('.leaflet-container')].filter(isShown);
  if (maps.length === 0) return [];
  const { width, height } = page.getBoundingClientRect();
  const isAlone = page.querySelector('[data-print="as-shown"]') !== null;
  const scale = Math.min(1, PAPER.widthPx / width, isAlone ? PAPER.heightPx / height : 1);
  return [
    setAttribute(page, 'data-as-shown'),
    setStyle(page, { width: `${width}px`, zoom: String(scale) }),
    ...maps.flatMap((map) =>
      listUpTo(page, map).map((each) => {
        const box = each.getBoundingClientRect();
        return setStyle(each, {
          'min-height': `${box.height}px`,
          ...(each === map && { width: `${box.width}px` }),
        });
      }),
    ),
  ];
};

/** Prepares the page for paper while it is printed. */
export const usePrint = (): void =>
  useEffect(() => {
    let undo: Undo[] = [];
    const restore = (): void => {
      for (const each of undo.reverse()) each();
      undo = [];
    };
    const prepare = (): void => {
      restore();
      const page = document.querySelector('main');
      if (page !== null) undo = [...keepMaps(page), ...showWhole(page)];
    };
    window.addEventListener('beforeprint', prepare);
    window.addEventListener('afterprint', restore);
    return () => {
      restore();
      window.removeEventListener('beforeprint', prepare);
      window.removeEventListener('afterprint', restore);
    };
  }, []);
