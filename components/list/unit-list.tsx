'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { usePlaces } from '@/components/ui/use-places';
import { readUnitRow } from '@/lib/view/unit-row';
import type { UnitRow } from '@/lib/view/unit-row';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './unit-list.module.css';
import { UnitRowLine } from './unit-row';
import { useScrollAnchor } from './use-scroll-anchor';

const ROW_PX = 54;
const OVERSCAN = 4;

export const UNIT_LIST_ID = 'unit-list';
const toOptionId = (row: number): string => `unit-${row}`;

interface UnitListProps {
  fleet: Fleet;
  rows: Int32Array;
  /** Changes when other rows, or another order, were asked for: then the list begins at its top. */
  question: string;
  selectedRow: number | null;
  skewMs: number;
  onSelect: (unit: UnitRow) => void;
  onTouch: () => void;
}

/** The fleet, line by line: the map's equivalent for the keyboard and for those who listen. */
export const UnitList = (props: UnitListProps) => {
  const { fleet, rows, question, selectedRow, skewMs, onSelect, onTouch } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const placeAt = usePlaces();
  // eslint-disable-next-line react-hooks/incompatible-library -- a note to the React compiler, which does not run here.
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });

  useScrollAnchor(scroller, virtualizer, rows, question, ROW_PX);

  const latestRows = useRef(rows);
  useEffect(() => {
    latestRows.current = rows;
  }, [rows]);
  useEffect(() => {
    const index = selectedRow === null ? -1 : latestRows.current.indexOf(selectedRow);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' });
  }, [virtualizer, selectedRow]);

  const items = virtualizer.getVirtualItems();
  const isSelectedShown = items.some(({ index }) => rows[index] === selectedRow);
  return (
    <div
      id={UNIT_LIST_ID}
      ref={scroller}
      className={styles.list}
      role="listbox"
      aria-label="Units"
      tabIndex={0}
      aria-activedescendant={isSelectedShown && selectedRow !== null ? toOptionId(selectedRow) : undefined}
      onPointerDown={onTouch}
      onPointerMove={onTouch}
      onWheel={onTouch}
      onKeyDown={onTouch}
    >
      <div role="presentation" className={styles.canvas} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          const unit = row === undefined ? null : readUnitRow(fleet, row);
          if (unit === null) return null;
          const { position } = unit;
          const place = position === null ? 'No position' : (placeAt?.(position) ?? null);
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
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onSelect(unit)}
            >
              <UnitRowLine unit={unit} place={place} skewMs={skewMs} />
            </div>
          );
        })}
      </div>
    </div>
  );
};
