import { useCallback, useEffect, useRef, useState } from 'react';
import { holdOrder } from '@/lib/view/sort';

const BUSY_MS = 4000;

/** Whether a user has just done something here: moved the pointer, scrolled, pressed a key. */
export const useBusy = (): readonly [isBusy: boolean, touch: () => void] => {
  const [isBusy, setBusy] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const touch = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setBusy(false), BUSY_MS);
    setBusy(true);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [isBusy, touch];
};

/**
 * Rows in their order, but while `isHeld` those that were there stay where they were: a poll must not move
 * a row from under the pointer that is about to press it. Another `question` (filter, order) is answered at once.
 */
export const useHeldOrder = (rows: Int32Array, isHeld: boolean, question: string): Int32Array => {
  const [held, setHeld] = useState({ rows, question, shown: rows });
  const isOld = held.rows !== rows || held.question !== question || (!isHeld && held.shown !== rows);
  if (!isOld) return held.shown;
  const shown = isHeld && held.question === question ? holdOrder(held.shown, rows) : rows;
  setHeld({ rows, question, shown });
  return shown;
};
