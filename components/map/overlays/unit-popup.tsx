import { useEffect, useRef } from 'react';
import { IconX } from '@tabler/icons-react';
import type { Map as LeafletMap } from 'leaflet';
import { formatWhole } from '@/lib/view/format';
import styles from './overlays.module.css';
import { useMapEvents } from '../leaflet-hooks';
import { StatusGlyph } from '../status-glyph';
import type { MapPadding } from '../fleet-map-props';
import type { UnitSummary } from '../unit-summary';
import type { GlyphHit } from '../unit-layer/hit-test';

const WIDTH_PX = 272;
const HEIGHT_PX = 340;
const MARGIN_PX = 12;
/** A longer list is cut: the search of the fleet finds the others. */
const MAX_LISTED = 200;

interface UnitPopupProps {
  map: LeafletMap;
  hit: GlyphHit;
  padding: MapPadding;
  describe(row: number): UnitSummary;
  onSelect(row: number): void;
  onClose(): void;
}

/** The position beside the glyph, clear of it and of the panel and the notices. */
const toPlace = (hit: GlyphHit, size: { x: number; y: number }, padding: MapPadding) => {
  const right = size.x - padding.right - MARGIN_PX;
  const left = hit.x + 24 + WIDTH_PX <= right ? hit.x + 24 : hit.x - 24 - WIDTH_PX;
  const top = Math.min(hit.y - 40, size.y - padding.bottom - HEIGHT_PX - MARGIN_PX);
  return {
    left: Math.max(padding.left + MARGIN_PX, Math.min(left, right - WIDTH_PX)),
    top: Math.max(padding.top + MARGIN_PX, top),
    width: WIDTH_PX,
    maxHeight: Math.min(HEIGHT_PX, size.y - padding.top - padding.bottom - 2 * MARGIN_PX),
  };
};

/** The units of one place that no zoom can show apart. Closes with Esc, and when the map moves. */
export function UnitPopup({ map, hit, padding, describe, onSelect, onClose }: UnitPopupProps) {
  const list = useRef<HTMLUListElement>(null);
  useMapEvents(map, { zoomstart: onClose, dragstart: onClose });

  useEffect(() => {
    list.current?.querySelector('button')?.focus({ preventScroll: true });
    const container = map.getContainer();
    return () => {
      // Only if closing removed the focus: a selection has moved it already.
      if (document.activeElement === document.body) container.focus({ preventScroll: true });
    };
  }, [map]);

  const listed = hit.rows.slice(0, MAX_LISTED);
  const left = hit.rows.length - listed.length;
  return (
    <div
      role="dialog"
      aria-label={`${hit.rows.length} trucks here`}
      className={styles.popup}
      style={toPlace(hit, map.getSize(), padding)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={styles.head}>
        <strong>{formatWhole(hit.rows.length)} trucks here</strong>
        <button type="button" aria-label="Close" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </button>
      </div>
      <ul ref={list}>
        {listed.map((row) => (
          <PopupRow key={row} summary={describe(row)} onSelect={() => onSelect(row)} />
        ))}
        {left > 0 && <li style={{ padding: 8 }}>and {formatWhole(left)} more: search finds them</li>}
      </ul>
    </div>
  );
}

const PopupRow = ({ summary, onSelect }: { summary: UnitSummary; onSelect(): void }) => (
  <li>
    <button type="button" onClick={onSelect}>
      <StatusGlyph status={summary.status} headingDeg={summary.headingDeg} flagged={summary.flagged} />
      <strong>{summary.number}</strong>
      <span className="lh-cut">{summary.statusText}</span>
      {summary.ageText && <small>{summary.ageText}</small>}
    </button>
  </li>
);
