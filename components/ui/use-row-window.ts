import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useIsPrinting } from './use-is-printing';

export interface RowWindow {
  /** The element with the rows, which scrolls, or lies in one that does. */
  scroller: RefObject<HTMLDivElement | null>;
  /** The rows to render, ascending. */
  indexes: number[];
  /** Height of the rows before and after them. */
  abovePx: number;
  belowPx: number;
  /** How far it is scrolled, without a layout to find out. */
  readTopPx: () => number;
  /** Scrolls just as far as brings a row into view. */
  scrollToRow: (index: number) => void;
}

/** The rows in view are counted whole, so that scrolling within one renders nothing. */
const NOTHING_SEEN = { first: 0, rows: 0 };

const canScroll = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowY);

/** The element by which rows are scrolled: on a phone, a whole page rather than a list of it. */
const findScroller = (rows: HTMLElement): HTMLElement => {
  let element: HTMLElement | null = rows;
  while (element !== null && !canScroll(element)) element = element.parentElement;
  return element ?? rows;
};

/** The rows in view, by how far their scroller is scrolled. */
const useSeenRows = (scroller: RefObject<HTMLDivElement | null>, count: number, rowPx: number) => {
  const topPx = useRef(0);
  const [seen, setSeen] = useState(NOTHING_SEEN);
  // Without rows, the element that scrolls may not be there yet.
  const hasRows = count > 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let scrolled = findScroller(element);
    let heightPx = scrolled.clientHeight;
    const look = (): void => {
      topPx.current =
        scrolled === element
          ? element.scrollTop
          : Math.max(0, scrolled.getBoundingClientRect().top - element.getBoundingClientRect().top);
      const first = Math.floor(topPx.current / rowPx);
      const rows = heightPx === 0 ? 0 : Math.ceil((topPx.current + heightPx) / rowPx) - first;
      setSeen((before) => (before.first === first && before.rows === rows ? before : { first, rows }));
    };
    // Before the next frame, which would show a gap where the new rows belong.
    const onScroll = ({ target }: Event): void => {
      if (target === scrolled) flushSync(look);
    };
    const observer = new ResizeObserver(() => {
      scrolled = findScroller(element);
      heightPx = scrolled.clientHeight;
      look();
    });
    look();
    observer.observe(element);
    const listening = { capture: true, passive: true };
    document.addEventListener('scroll', onScroll, listening);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', onScroll, listening);
    };
  }, [scroller, rowPx, hasRows]);
  const readTopPx = useCallback(() => topPx.current, []);
  return { seen, readTopPx };
};

/**
 * The rows of one height that are in view, and a few more, so that a table may have a hundred thousand. A library for
 * rows of any height would add 7 KB of script to the first load. On paper all rows are there, unless the list is printed as
 * it is on the screen.
 */
export const useRowWindow = (
  count: number,
  rowPx: number,
  overscan: number,
  isWholeOnPaper = true,
): RowWindow => {
  const isWhole = useIsPrinting() && isWholeOnPaper;
  const scroller = useRef<HTMLDivElement>(null);
  const { seen, readTopPx } = useSeenRows(scroller, count, rowPx);

  const scrollToRow = useCallback(
    (index: number): void => {
      const element = scroller.current;
      if (element === null) return;
      const startPx = index * rowPx;
      const endPx = startPx + rowPx - element.clientHeight;
      if (startPx < element.scrollTop) element.scrollTo({ top: startPx });
      else if (endPx > element.scrollTop) element.scrollTo({ top: endPx });
    },
    [rowPx],
  );

  // The browser scrolls up when rows went away, but says so only in the next frame.
  const first = Math.max(0, Math.min(seen.first, count - seen.rows));
  const start = isWhole ? 0 : Math.max(0, first - overscan);
  const end = isWhole ? count : seen.rows === 0 ? start : Math.min(count, first + seen.rows + overscan);
  return {
    scroller,
    indexes: Array.from({ length: end - start }, (_, i) => start + i),
    abovePx: start * rowPx,
    belowPx: (count - end) * rowPx,
    readTopPx,
    scrollToRow,
  };
};
