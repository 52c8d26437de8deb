'use client';

import { useLayoutEffect, useRef } from 'react';
import { useViewActions } from '@/components/fleet-state/fleet-context';
import type { FirstRows } from '@/lib/view/first-rows';
import { ROW_PX, UNIT_LIST_ID } from './unit-list';
import styles from './unit-list.module.css';
import { UnitRowLine } from './unit-row';

/** The head of the list as of the HTML, in the places that the live list takes. */
export const FirstList = ({ first: { units, matched, siteNames } }: { first: FirstRows }) => {
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
    <div
      id={UNIT_LIST_ID}
      ref={list}
      className={styles.list}
      role="listbox"
      aria-label="Units"
      aria-busy="true"
      tabIndex={0}
    >
      <div role="presentation" style={{ position: 'relative', height: matched * ROW_PX }}>
        {units.map((unit, index) => (
          <div
            key={unit.identity.key}
            role="option"
            aria-selected={false}
            aria-setsize={matched}
            aria-posinset={index + 1}
            className={styles.row}
            style={{ transform: `translateY(${index * ROW_PX}px)` }}
            onClick={() => select(unit.identity.key)}
          >
            <UnitRowLine
              unit={unit}
              place={siteNames[unit.siteId ?? 0] ?? (unit.position === null ? 'No position' : null)}
              skewMs={0}
            />
          </div>
        ))}
      </div>
    </div>
  );
};
