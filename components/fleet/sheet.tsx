'use client';

import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import styles from './sheet.module.css';

const SNAPS = ['peek', 'half', 'full'] as const;
export type Snap = (typeof SNAPS)[number];

/** A drag shorter than this is a tap, and a tap is not meant to move anything. */
const TAP_PX = 6;

interface SheetProps {
  /** Where it stands on a wide screen; on a phone it is a sheet at the foot. */
  className?: string;
  /** What stands in its handle on a phone, at the left; null: the handle lies over the head of what is in it. */
  handle: ReactNode;
  /** What is resized, for those who listen. */
  name: string;
  snap: Snap;
  onSnap: (snap: Snap) => void;
  /** On a phone, another sheet stands over this one. */
  isCovered?: boolean;
  children: ReactNode;
}

interface Drag {
  startY: number;
  startPx: number;
  px: number;
}

const nearestSnap = (px: number, wholePx: number): Snap => {
  const share = px / wholePx;
  if (share > 0.72) return 'full';
  return share > 0.3 ? 'half' : 'peek';
};

/** On a phone, a sheet over the map that is dragged or stepped between three heights; elsewhere a plain box. */
export const Sheet = ({ className, handle, name, snap, onSnap, isCovered = false, children }: SheetProps) => {
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (!box.current || (event.target as Element).closest('button, a')) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const px = box.current.offsetHeight;
    setDrag({ startY: event.clientY, startPx: px, px });
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (drag) setDrag({ ...drag, px: drag.startPx + drag.startY - event.clientY });
  };
  const onPointerUp = () => {
    const wholePx = box.current?.parentElement?.clientHeight ?? 0;
    if (drag && Math.abs(drag.px - drag.startPx) > TAP_PX) onSnap(nearestSnap(drag.px, wholePx));
    setDrag(null);
  };

  /** Tab leads also to what lies under the edge of the screen, where nobody sees it. */
  const onKeyUp = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Tab' || snap !== 'peek') return;
    if ((event.target as Element).closest(`.${styles.handle}`) === null) onSnap('half');
  };

  const step = (by: 1 | -1) => onSnap(SNAPS[SNAPS.indexOf(snap) + by] ?? snap);
  return (
    <div
      ref={box}
      className={`${styles.sheet} ${className ?? ''}`}
      data-snap={snap}
      data-dragged={drag !== null}
      data-covered={isCovered}
      style={drag ? { height: drag.px } : undefined}
      onKeyUp={onKeyUp}
    >
      <div
        className={styles.handle}
        data-over={handle === null}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(null)}
      >
        <span className={styles.grip} aria-hidden="true" />
        <div className={styles.label}>{handle}</div>
        <UnstyledButton
          className={styles.step}
          aria-label={`Shrink ${name}`}
          disabled={snap === 'peek'}
          onClick={() => step(-1)}
        >
          <IconChevronDown size={22} stroke={1.75} aria-hidden="true" />
        </UnstyledButton>
        <UnstyledButton
          className={styles.step}
          aria-label={`Grow ${name}`}
          disabled={snap === 'full'}
          onClick={() => step(1)}
        >
          <IconChevronUp size={22} stroke={1.75} aria-hidden="true" />
        </UnstyledButton>
      </div>
      {children}
    </div>
  );
};
