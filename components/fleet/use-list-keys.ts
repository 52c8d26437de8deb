import { useHotkeys } from '@mantine/hooks';
import type { HotkeyItem } from '@mantine/hooks';
import { OVERLAID, isTyping, isWithin } from '../ui/keys';
import { SEARCH_ID } from '../fleet-shell/search-field';

/** Elements that handle these keys themselves while they have the focus. */
const FOREIGN = `${OVERLAID}, [data-own-keys]`;
/** The map moves by the arrow keys; Escape and f work there as elsewhere. */
const MAP = '.leaflet-container';
const PAGE_ROWS = 10;

const isSearch = (target: EventTarget | null): boolean => isWithin(target, `#${SEARCH_ID}`);

export interface ListKeyActions {
  /** The rows of the list, in order, and the selected one. */
  rows: Int32Array;
  selectedRow: number | null;
  onGo: (row: number) => void;
  /** Enter in the search field: selects the best match. */
  onFound: () => void;
  onOpen: () => void;
  onClose: () => void;
  onFit: () => void;
  focusList: () => void;
}

/** The row that a step leads to; without a selection, the first or the last. */
const toStep = ({ rows, selectedRow }: ListKeyActions, by: number): number | undefined => {
  if (selectedRow === null || !rows.includes(selectedRow)) return by > 0 ? rows[0] : rows[rows.length - 1];
  const index = rows.indexOf(selectedRow) + by;
  return rows[Math.min(Math.max(index, 0), rows.length - 1)];
};

/** Arrows move the selection wherever the focus is, Enter opens, Escape closes, f fits the map to the fleet. */
export const useListKeys = (actions: ListKeyActions): void => {
  const isForeign = ({ defaultPrevented, target }: KeyboardEvent): boolean =>
    defaultPrevented || isWithin(target, FOREIGN) || (isTyping(target) && !isSearch(target));

  const stepBy =
    (by: number, isTextKey = false): HotkeyItem[1] =>
    (event) => {
      const isSearching = isSearch(event.target);
      if (isForeign(event) || isWithin(event.target, MAP) || (isSearching && isTextKey)) return;
      const row = toStep(actions, by);
      if (row === undefined) return;
      event.preventDefault();
      actions.onGo(row);
      if (isSearching) actions.focusList();
    };
  const enter = (event: KeyboardEvent): void => {
    if (isForeign(event) || isWithin(event.target, MAP)) return;
    if (isSearch(event.target)) {
      event.preventDefault();
      actions.onFound();
    } else if (isWithin(event.target, 'body, [role="listbox"]') && !isWithin(event.target, 'a, button'))
      actions.onOpen();
  };
  const escape = (event: KeyboardEvent): void => {
    if (!isForeign(event)) actions.onClose();
  };
  const fit = (event: KeyboardEvent): void => {
    if (!isForeign(event) && !isSearch(event.target)) actions.onFit();
  };

  const keys: [string, HotkeyItem[1]][] = [
    ['ArrowDown', stepBy(1)],
    ['ArrowUp', stepBy(-1)],
    ['PageDown', stepBy(PAGE_ROWS)],
    ['PageUp', stepBy(-PAGE_ROWS)],
    ['Home', stepBy(-Infinity, true)],
    ['End', stepBy(Infinity, true)],
    ['Enter', enter],
    ['Escape', escape],
    ['f', fit],
  ];
  useHotkeys(
    keys.map(([key, run]) => [key, run, { preventDefault: false }]),
    [],
    true,
  );
};
