import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { RefObject } from 'react';

interface RowWindow {
  /** Of the element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>;
  /** The rows to render, ascending. */
  indexes: number[];
  /** Height of the rows before and after them. */
  abovePx: number;
  belowPx: number;
}

/** The rows of a table that are in view, and a few more, so that a table may have a hundred thousand. */
export const useRowWindow = (count: number, rowPx: number, overscan: number): RowWindow => {
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are used in this render alone
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan,
  });
  const indexes = virtualizer.getVirtualItems().map(({ index }) => index);
  return {
    scroller,
    indexes,
    abovePx: (indexes[0] ?? 0) * rowPx,
    belowPx: Math.max(0, count - 1 - (indexes.at(-1) ?? 0)) * rowPx,
  };
};
