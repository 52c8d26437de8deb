import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type CSSProperties } from 'react';
import { createPortal } from 'react-dom';
import styles from './tour.module.css';

interface Stop {
  /** The element of the page that it is about; where that is not shown, the card stands alone. */
  target: string;
  title: string;
  text: string;
}

const STOPS: readonly Stop[] = [
  {
    target: '[aria-label="Filter by status"]',
    title: 'Counts are filters',
    text: 'Press Silent: list and map show those trucks alone. Press it again for all.',
  },
  {
    target: '[role="listbox"][aria-label="Trucks"]',
    title: 'Who needs a call comes first',
    text: 'Vanished, late and faulty trucks lead the list. Open one for its place, its driver’s phone, and what to do.',
  },
  {
    target: '[role="search"]',
    title: 'Find anything from one field',
    text: 'A truck, a tag, a site, a town or a ZIP code. The key / brings you here from anywhere.',
  },
  {
    target: '[aria-label="Map"] [title*="(p)"]',
    title: 'Turn back the clock',
    text: 'See the whole fleet at any moment of the past month, and play it up to 600 times as fast.',
  },
  {
    target: 'a[href$="/alerts"]',
    title: 'Alerts that someone takes',
    text: 'Four rules watch this fleet. See what is open, what was taken, and set a rule of your own.',
  },
  {
    target: 'a[href$="/handover"]',
    title: 'A handover worth reading',
    text: 'What changed since your last shift, on one page, which you can print. With your own trucks it also comes by mail.',
  },
];

/** Space about the marked part, and between it and the card, CSS pixels. */
const [RING_PX, GAP_PX, EDGE_PX] = [4, 14, 12];
const CARD_PX = 320;
const CARD_HEIGHT_PX = 220;

/** Offers a first visitor a tour; `onSeen` is called when it is begun or declined, after which it is not offered again. */
export const Tour = ({ onSeen }: { onSeen: () => void }) => {
  const [isOver, setOver] = useState(false);
  const [stop, setStop] = useState<number | null>(null);
  if (isOver) return null;
  const leave = (): void => {
    onSeen();
    setOver(true);
  };
  const start = (): void => {
    onSeen();
    setStop(0);
  };
  if (stop === null) return <Offer onStart={start} onLeave={leave} />;
  return createPortal(
    <StopCard
      key={stop}
      {...STOPS[stop]!}
      index={stop}
      onBack={stop === 0 ? null : () => setStop(stop - 1)}
      onNext={stop === STOPS.length - 1 ? leave : () => setStop(stop + 1)}
      onLeave={leave}
    />,
    document.body,
  );
};

/** At the foot of the list, where it hides nothing. */
const Offer = ({ onStart, onLeave }: { onStart: () => void; onLeave: () => void }) => (
  <section className={styles.offer} aria-label="Tour">
    <p>
      <b>Your first visit?</b> See six things in a minute.
    </p>
    <Button size="compact-sm" onClick={onStart}>
      Take the tour
    </Button>
    <Button size="compact-sm" variant="subtle" onClick={onLeave}>
      No, thanks
    </Button>
  </section>
);

/** The visible element that a stop is about; null where none is. */
const findTarget = (selector: string): DOMRect | null => {
  const rects = Array.from(document.querySelectorAll(selector), (each) => each.getBoundingClientRect());
  return rects.find(({ width, height }) => width > 0 && height > 0) ?? null;
};

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

/** Beside the target if there is room, else below it or above it; in the middle without a target. */
const toPlace = (target: DOMRect | null): CSSProperties => {
  const { innerWidth: width, innerHeight: height } = window;
  const mostLeft = width - CARD_PX - EDGE_PX;
  if (target === null || width < 2 * CARD_PX) return { left: Math.max(0, mostLeft / 2), bottom: EDGE_PX };
  const top = clamp(target.top, EDGE_PX, height - CARD_HEIGHT_PX - EDGE_PX);
  const left = target.right + GAP_PX;
  if (left <= mostLeft) return { left, top };
  const below = target.bottom + GAP_PX;
  return {
    left: clamp(target.left, EDGE_PX, mostLeft),
    top: below + CARD_HEIGHT_PX < height ? below : Math.max(EDGE_PX, target.top - GAP_PX - CARD_HEIGHT_PX),
  };
};

const useTarget = (selector: string): DOMRect | null => {
  const [target, setTarget] = useState(() => findTarget(selector));
  useEffect(() => {
    const measure = (): void => setTarget(findTarget(selector));
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [selector]);
  return target;
};

interface StopCardProps extends Stop {
  index: number;
  /** Null at the first. */
  onBack: (() => void) | null;
  onNext: () => void;
  onLeave: () => void;
}

const StopCard = ({ target: selector, title, text, index, onBack, onNext, onLeave }: StopCardProps) => {
  const target = useTarget(selector);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus(), []);
  const isLast = index === STOPS.length - 1;
  return (
    <>
      {target === null ? null : (
        <div
          className={styles.ring}
          aria-hidden="true"
          style={{
            left: target.left - RING_PX,
            top: target.top - RING_PX,
            width: target.width + 2 * RING_PX,
            height: target.height + 2 * RING_PX,
          }}
        />
      )}
      <section
        role="dialog"
        aria-labelledby="tour-title"
        aria-describedby="tour-text"
        className={styles.card}
        style={toPlace(target)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // The key has other uses on the page.
          event.nativeEvent.stopImmediatePropagation();
          onLeave();
        }}
      >
        <p className="lh-small">
          {index + 1} of {STOPS.length}
        </p>
        <h2 id="tour-title">{title}</h2>
        <p id="tour-text">{text}</p>
        <div className={styles.buttons}>
          {isLast ? null : (
            <Button size="compact-sm" variant="subtle" onClick={onLeave}>
              Leave the tour
            </Button>
          )}
          {onBack === null ? null : (
            <Button size="compact-sm" variant="default" onClick={onBack}>
              Back
            </Button>
          )}
          <Button ref={next} size="compact-sm" onClick={onNext}>
            {isLast ? 'Done' : 'Next'}
          </Button>
        </div>
      </section>
    </>
  );
};
