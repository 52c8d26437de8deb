import { useEffect, useLayoutEffect, useRef } from 'react';
import { isMapShown } from '../fleet-state/map-link';
import { OVERLAID, isPlainKey, isTyping, isWithin } from '../ui/shortcuts';
import { SEARCH_ID } from '../fleet-shell/search-field';

/** Elements that handle these keys themselves while they have the focus. */
const FOREIGN = `${OVERLAID}, [data-own-keys]`;
/** The map moves by the arrow keys; Escape and f work there as elsewhere. */
const MAP = '.leaflet-container';
const PAGE_ROWS = 10;

interface ListKeyActions {
  /** The rows of the list, in order, and the selected one. */
  rows: Int32Array;
  selectedRow: number | null;
  onMove: (row: number) => void;
  /** Enter in the search field: selects the best match. */
  onSearchEnter: () => void;
  onOpen: () => void;
  onClose: () => void;
  onFit: () => void;
  focusList: () => void;
}

const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_ROWS,
  PageUp: -PAGE_ROWS,
  Home: -Infinity,
  End: Infinity,
};

/** The row that a step leads to; without a selection, the first or the last. */
const toStep = ({ rows, selectedRow }: ListKeyActions, by: number): number | undefined => {
  if (selectedRow === null || !rows.includes(selectedRow)) return by > 0 ? rows[0] : rows[rows.length - 1];
  const index = rows.indexOf(selectedRow) + by;
  return rows[Math.min(Math.max(index, 0), rows.length - 1)];
};

const handleKey = (event: KeyboardEvent, actions: ListKeyActions): void => {
  const isSearching = isWithin(event.target, `#${SEARCH_ID}`);
  if (!isPlainKey(event) || isWithin(event.target, FOREIGN) || (isTyping(event.target) && !isSearching))
    return;
  const by = STEPS[event.key];
  const isTextKey = event.key === 'Home' || event.key === 'End' || event.key === 'f';
  if (isSearching && isTextKey) return;
  if (isWithin(event.target, MAP) && event.key !== 'Escape' && event.key !== 'f') return;
  if (by !== undefined) {
    const row = toStep(actions, by);
    if (row === undefined) return;
    event.preventDefault();
    actions.onMove(row);
    if (isSearching) actions.focusList();
  } else if (event.key === 'Enter' && isSearching) {
    event.preventDefault();
    actions.onSearchEnter();
  } else if (
    event.key === 'Enter' &&
    isWithin(event.target, 'body, [role="listbox"]') &&
    !isWithin(event.target, 'a, button')
  ) {
    actions.onOpen();
  } else if (event.key === 'Escape') {
    actions.onClose();
  } else if (event.key === 'f' && !event.shiftKey) {
    actions.onFit();
  }
};

/**
 * Arrows move the selection wherever the focus is, Enter opens, Escape closes, f fits the map to the fleet. On the
 * window, which comes after React's handlers on the document: an open popover or the search field has to handle its
 * Escape first.
 */
export const useListKeys = (actions: ListKeyActions): void => {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isMapShown()) handleKey(event, latest.current);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
};
