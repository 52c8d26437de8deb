import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { Virtualizer } from '@tanstack/react-virtual';

/**
 * Keeps the lines in sight where they are when a poll adds or removes lines above them. At the top, the
 * top stays in sight; another question scrolls back to it.
 */
export const useScrollAnchor = (
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rows: Int32Array,
  question: string,
  rowPx: number,
): void => {
  const before = useRef({ rows, question });
  useLayoutEffect(() => {
    const element = scroller.current;
    const was = before.current;
    before.current = { rows, question };
    if (element === null || was.rows === rows) return;
    // Reading it from the element, or setting it without need, would force a layout.
    const top = virtualizer.scrollOffset ?? 0;
    if (was.question !== question) {
      if (top > 0) element.scrollTo({ top: 0 });
      return;
    }
    const first = Math.floor(top / rowPx);
    if (first === 0) return;
    const now = rows.indexOf(was.rows[first]!);
    if (now >= 0 && now !== first) element.scrollBy({ top: (now - first) * rowPx });
  }, [scroller, virtualizer, rows, question, rowPx]);
};
