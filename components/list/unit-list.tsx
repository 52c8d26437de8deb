import { useEffect, useLayoutEffect, useRef, type PointerEvent } from 'react';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { usePlaceOf } from '@/components/fleet-state/sites';
import { useRowWindow, type RowWindow } from '@/components/ui/use-row-window';
import type { FirstRows } from '@/lib/view/first-rows';
import type { ListColumn } from '@/lib/view/text';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './unit-list.module.css';
import { UnitRowLine } from './unit-row';

const toRowPx = (columns: readonly ListColumn[]): number => (columns.length === 0 ? 54 : 74);
const OVERSCAN = 4;

export const UNIT_LIST_ID = 'unit-list';
const LIST_BOX = {
  id: UNIT_LIST_ID,
  className: `lh-scroll ${styles.list}`,
  role: 'listbox',
  'aria-label': 'Trucks',
  tabIndex: 0,
} as const;
const toOptionId = (row: number): string => `unit-${row}`;

export interface UnitListProps {
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
      ref={scroller}
      {...LIST_BOX}
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
            <UnitOption
              key={index}
              {...{ index, unit, place, skewMs, columns, onSelect }}
              id={toOptionId(unit.row)}
              count={rows.length}
              isSelected={unit.row === selectedRow}
            />
          );
        })}
      </div>
    </div>
  );
};

interface UnitOptionProps {
  id?: string;
  /** Its place among `count`. */
  index: number;
  count: number;
  unit: UnitRow;
  place: string | null;
  skewMs: number;
  columns: readonly ListColumn[];
  isSelected: boolean;
  onSelect: (unit: UnitRow) => void;
}

const UnitOption = ({ id, index, count, isSelected, onSelect, ...line }: UnitOptionProps) => (
  <div
    id={id}
    role="option"
    aria-selected={isSelected}
    aria-setsize={count}
    aria-posinset={index + 1}
    className={`lh-row ${styles.row}`}
    data-columns={line.columns.length > 0 || undefined}
    style={{ transform: `translateY(${index * toRowPx(line.columns)}px)` }}
    onClick={() => onSelect(line.unit)}
  >
    <UnitRowLine {...line} />
  </div>
);

/** The head of the list as of the HTML, in the places that the live list takes. */
export const FirstList = ({ first: { units, matched, siteNames, columns } }: { first: FirstRows }) => {
  const { select } = useViewActions();
  const list = useRef<HTMLDivElement>(null);
  // The live list takes over the focus: the element that has it is about to leave the page.
  useLayoutEffect(() => {
    const element = list.current;
    return () => {
      if (element !== document.activeElement) return;
      queueMicrotask(() => document.getElementById(UNIT_LIST_ID)?.focus());
    };
  }, []);
  return (
    <div ref={list} {...LIST_BOX} aria-busy="true">
      <div role="presentation" style={{ position: 'relative', height: matched * toRowPx(columns) }}>
        {units.map((unit, index) => (
          <UnitOption
            key={unit.identity.key}
            {...{ index, unit, columns }}
            count={matched}
            place={siteNames[unit.siteId ?? 0] ?? (unit.position === null ? 'No position' : null)}
            skewMs={0}
            isSelected={false}
            onSelect={({ identity }) => select(identity.key)}
          />
        ))}
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

/** Keeps the selected line, or the first in sight, where it is when a poll moves it; another `listKey` scrolls to the top. */
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
