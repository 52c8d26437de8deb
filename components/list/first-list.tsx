import { useLayoutEffect, useRef } from 'react';
import { useViewActions } from '@/components/fleet-state/fleet-context';
import type { FirstRows } from '@/lib/view/first-rows';
import { UNIT_LIST_ID, toRowPx } from './unit-list';
import styles from './unit-list.module.css';
import { UnitRowLine } from './unit-row';

/** The head of the list as of the HTML, in the places that the live list takes. */
export const FirstList = ({ first: { units, matched, siteNames, columns } }: { first: FirstRows }) => {
  const { select } = useViewActions();
  const rowPx = toRowPx(columns);
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
    <div
      id={UNIT_LIST_ID}
      ref={list}
      className={styles.list}
      role="listbox"
      aria-label="Trucks"
      aria-busy="true"
      tabIndex={0}
    >
      <div role="presentation" style={{ position: 'relative', height: matched * rowPx }}>
        {units.map((unit, index) => (
          <div
            key={unit.identity.key}
            role="option"
            aria-selected={false}
            aria-setsize={matched}
            aria-posinset={index + 1}
            className={styles.row}
            data-columns={columns.length > 0 || undefined}
            style={{ transform: `translateY(${index * rowPx}px)` }}
            onClick={() => select(unit.identity.key)}
          >
            <UnitRowLine
              unit={unit}
              place={siteNames[unit.siteId ?? 0] ?? (unit.position === null ? 'No position' : null)}
              skewMs={0}
              columns={columns}
            />
          </div>
        ))}
      </div>
    </div>
  );
};
