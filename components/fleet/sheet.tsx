import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useMediaQuery } from '@mantine/hooks';
import styles from './sheet.module.css';

const SNAPS = ['peek', 'half', 'full'] as const;
export type Snap = (typeof SNAPS)[number];
const STEPS = [
  { by: -1, verb: 'Shrink', Icon: IconChevronDown },
  { by: 1, verb: 'Grow', Icon: IconChevronUp },
];

/** Whether an open sheet stands beside the map, as on a phone on its side. */
export const useSideSheet = (): boolean =>
  useMediaQuery('screen and (max-width: 859px) and (max-height: 480px)', false);

/** A shorter drag is a tap, which moves nothing. */
const TAP_PX = 6;

interface SheetProps {
  /** Its position on a wide screen. */
  className?: string;
  /** The left of its handle on a phone; null: the handle overlays the content's header. */
  handle: ReactNode;
  /** Its name for screen readers. */
  name: string;
  snap: Snap;
  onSnap: (snap: Snap) => void;
  /** On a phone, another sheet covers this one. */
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

/** The drag of a sheet by its handle; where it ends, the sheet snaps to the nearest height. */
const useDrag = (onSnap: (snap: Snap) => void) => {
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
  const handlers = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: () => setDrag(null) };
  return { box, drag, handlers };
};

/** On a phone, a sheet over the map that is dragged or stepped between three heights; elsewhere a plain box. */
export const Sheet = ({ className, handle, name, snap, onSnap, isCovered = false, children }: SheetProps) => {
  const { box, drag, handlers } = useDrag(onSnap);

  /** Tab can focus a control below the edge of the screen, so a collapsed sheet opens. */
  const onKeyUp = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Tab' || snap !== 'peek') return;
    if ((event.target as Element).closest(`.${styles.handle}`) === null) onSnap('half');
  };

  const isSide = useSideSheet();
  // Beside the map it is open or closed.
  const snaps = isSide
    ? SNAPS.filter((each) => each === 'peek' || each === (snap === 'peek' ? 'half' : snap))
    : SNAPS;
  const nextSnap = (by: number): Snap | undefined => snaps[snaps.indexOf(snap) + by];
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
      <div className={styles.handle} data-over={handle === null} {...handlers}>
        <span className={styles.grip} aria-hidden="true" />
        <div className={styles.label}>{handle}</div>
        {STEPS.map(({ by, verb, Icon }) => (
          <BareButton
            key={verb}
            className={`lh-icon ${styles.step}`}
            aria-label={`${verb} ${name}`}
            disabled={nextSnap(by) === undefined}
            onClick={() => onSnap(nextSnap(by) ?? snap)}
          >
            <Icon size={22} stroke={1.75} aria-hidden="true" />
          </BareButton>
        ))}
      </div>
      {children}
    </div>
  );
};
