import { useImperativeHandle, useRef, type Ref } from 'react';
import type { Point } from '../box-index';
import styles from './overlays.module.css';
import { toUnitText, type UnitSummary } from '../unit-summary';

export interface SelectedMarkerHandle {
  /** Follows the selected unit's glyph; null while it is out of view. */
  place(at: Point | null): void;
}

interface SelectedMarkerProps {
  handle: Ref<SelectedMarkerHandle>;
  summary: UnitSummary | null;
  onActivate(): void;
}

/** The selected unit as an element: what the canvas draws of it can be reached by keyboard and named aloud. */
export function SelectedMarker({ handle, summary, onActivate }: SelectedMarkerProps) {
  const button = useRef<HTMLButtonElement>(null);
  useImperativeHandle(handle, () => ({
    place: (at) => {
      if (!button.current) return;
      button.current.style.visibility = at ? 'inherit' : 'hidden';
      // Moved without React: it goes along with every frame of a glide.
      if (at) button.current.style.transform = `translate(${at.x - 22}px, ${at.y - 22}px)`;
    },
  }));
  if (!summary) return null;
  return (
    <button
      ref={button}
      type="button"
      className={styles.selected}
      style={{ visibility: 'hidden' }}
      aria-label={`${toUnitText(summary)}. Go there`}
      onClick={onActivate}
    />
  );
}
