'use client';

import { useEffect, useLayoutEffect, useRef, type PointerEvent } from 'react';
import { useView } from '@/components/fleet-state/fleet-context';
import { usePlaceOf } from '@/components/fleet-state/sites';
import { useRowWindow, type RowWindow } from '@/components/ui/use-row-window';
import type { ListColumn } from '@/lib/view/text';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './unit-list.module.css';
import { UnitRowLine } from './unit-row';

/** The height of a row, with a line for the chosen columns. */
export const toRowPx = (columns: readonly ListColumn[]): number => (columns.length === 0 ? 54 : 74);
const OVERSCAN = 4;

export const UNIT_LIST_ID = 'unit-list';
const toOptionId = (row: number): string => `unit-${row}`;

interface UnitListProps {
  fleet: Fleet;
  /** False while it is out of sight: then it needs no place names. */
  isShown: boolean;
  rows: Int32Array;
  /** Changes with the search, the filter and the order; the list then starts at its top. */
  listKey: string;
  selectedRow: number | null;
  skewMs: number;
  onSelect: (unit: UnitRow) => void;
  /** The user does something on the list, with a button pressed or none. */
  onTouch: (isPressed: boolean) => void;
}

/** The fleet, line by line: the map's equivalent for keyboards and screen readers. */
export const UnitList = (props: UnitListProps) => {
  const { fleet, isShown, rows, listKey, selectedRow, skewMs, onSelect, onTouch } = props;
  const { columns } = useView();
  const rowPx = toRowPx(columns);
  const placeOf = usePlaceOf(isShown);
  const { scroller, indexes, readTopPx, scrollToRow } = useRowWindow(rows.length, rowPx, OVERSCAN, false);
  useScrollAnchor({ scroller, readTopPx, indexes, rowPx, rows, listKey, selectedRow });
  useScrollToSelected(scrollToRow, rows, selectedRow);

  const touch = (): void => onTouch(false);
  const touchByPointer = ({ buttons }: PointerEvent): void => onTouch(buttons !== 0);
  const isSelectedShown = indexes.some((index) => rows[index] === selectedRow);
  return (
    <div
      id={UNIT_LIST_ID}
      ref={scroller}
      className={styles.list}
      role="listbox"
      aria-label="Trucks"
      tabIndex={0}
      aria-activedescendant={isSelectedShown && selectedRow !== null ? toOptionId(selectedRow) : undefined}
      onPointerDown={touchByPointer}
      onPointerMove={touchByPointer}
      onPointerUp={touchByPointer}
      onPointerCancel={touch}
      onPointerLeave={touch}
      onWheel={touch}
      onKeyDown={touch}
    >
      <div role="presentation" style={{ position: 'relative', height: rows.length * rowPx }}>
        {indexes.map((index) => {
          const row = rows[index];
          const unit = row === undefined ? null : readUnitRow(fleet, row);
          if (unit === null) return null;
          const place = placeOf(unit) ?? (unit.position === null ? 'No position' : null);
          return (
            // Keyed by position: another unit changes texts only, in half the time of a new element. The order is held
            // while the list is used, so that a click selects the unit that was shown.
            <div
              key={index}
              id={toOptionId(unit.row)}
              role="option"
              aria-selected={unit.row === selectedRow}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className={styles.row}
              data-columns={columns.length > 0 || undefined}
              style={{ transform: `translateY(${index * rowPx}px)` }}
              onClick={() => onSelect(unit)}
            >
              <UnitRowLine unit={unit} place={place} skewMs={skewMs} columns={columns} />
            </div>
          );
        })}
      </div>
    </div>
  );
};

interface ScrollAnchor extends Pick<RowWindow, 'scroller' | 'readTopPx' | 'indexes'> {
  rowPx: number;
  rows: Int32Array;
  listKey: string;
  selectedRow: number | null;
}

/**
 * Keeps the lines in sight where they are when a poll adds or removes lines above them: the selected one if it is among
 * them, or else the first. At the top, the top stays in sight; another `listKey` scrolls back to it.
 */
const useScrollAnchor = (anchor: ScrollAnchor): void => {
  const { scroller, readTopPx, indexes, rowPx, rows, listKey, selectedRow } = anchor;
  const before = useRef({ rows, listKey });
  useLayoutEffect(() => {
    const element = scroller.current;
    const was = before.current;
    before.current = { rows, listKey };
    if (element === null || was.rows === rows) return;
    // Reading it from the element, or setting it without need, would force a layout.
    const top = readTopPx();
    if (was.listKey !== listKey) {
      if (top > 0) element.scrollTo({ top: 0 });
      return;
    }
    const first = Math.floor(top / rowPx);
    if (first === 0) return;
    const selected = selectedRow === null ? -1 : was.rows.indexOf(selectedRow);
    const held = indexes.includes(selected) ? selected : first;
    const now = rows.indexOf(was.rows[held]!);
    if (now >= 0 && now !== held) element.scrollBy({ top: (now - held) * rowPx });
  }, [scroller, readTopPx, indexes, rowPx, rows, listKey, selectedRow]);
};

/** Brings a row into view when it is selected; not again when a poll moves it. */
const useScrollToSelected = (
  scrollToRow: RowWindow['scrollToRow'],
  rows: Int32Array,
  selectedRow: number | null,
): void => {
  const latestRows = useRef(rows);
  useEffect(() => {
    latestRows.current = rows;
  }, [rows]);
  useEffect(() => {
    const index = selectedRow === null ? -1 : latestRows.current.indexOf(selectedRow);
    if (index >= 0) scrollToRow(index);
  }, [scrollToRow, selectedRow]);
};
