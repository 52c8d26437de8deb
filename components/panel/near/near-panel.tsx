import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useReading, useServerNowMs, useView, useViewStore } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { StatusGlyph } from '@/components/map/status-glyph';
import { toUnitSummary } from '@/components/map/unit-summary';
import { useRecordedPlaces } from '@/components/fleet-state/recorded-places';
import { usePlaceOf } from '@/components/fleet-state/sites';
import { formatDistance, formatMoment } from '@/lib/view/format';
import { keepFree } from '@/lib/view/free';
import { NearFilters, useFreeTags } from './near-filters';
import { boundsAbout, nearestUnits, DRIVE_TIME_NOTE, coordinatesText, driveTimeText } from '@/lib/view/near';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { NearPlace } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';
import { ContactLine } from '@/components/contacts/contact-line';
import { marksOf } from '@/lib/view/marks';
import { PanelHead } from '../panel-head';
import { PANEL_HEADING_ID } from '../panel-heading';
import styles from './near.module.css';
import { PlaceField } from './place-field';
import type { Bounds } from '@/lib/geo/geodesy';

const MOST_LISTED = 25;

interface NearPanelProps {
  near: NearPlace;
  /** Null before the first answer. */
  fleet: Fleet | null;
  rows: Int32Array;
  onSelect: (row: number) => void;
  /** Another place was chosen by name or coordinates; `bounds` holds it and the nearest units. */
  onMove: (near: NearPlace, bounds: Bounds) => void;
  onClose: () => void;
}

export const NearPanel = ({ near, fleet, rows, onSelect, onMove, onClose }: NearPanelProps) => {
  const placeAt = useRecordedPlaces();
  const { isFreeOnly } = useView();
  const free = useFreeTags() ?? null;
  const listed = useMemo(
    () => (fleet !== null && isFreeOnly && free !== null ? keepFree(fleet, rows, free) : rows),
    [fleet, rows, isFreeOnly, free],
  );
  const nearest = useMemo(
    () => (fleet === null ? [] : nearestUnits(fleet, listed, near, MOST_LISTED)),
    [fleet, listed, near],
  );
  const move = (next: NearPlace): void => {
    onMove(next, boundsAbout(fleet, listed, next));
  };
  const store = useViewStore();
  const wasFreeOnly = useRef(isFreeOnly);
  const showNearest = useEffectEvent(() => store.showBounds(boundsAbout(fleet, listed, near)));
  useEffect(() => {
    if (wasFreeOnly.current === isFreeOnly) return;
    wasFreeOnly.current = isFreeOnly;
    showNearest();
  }, [isFreeOnly]);
  // What opened it may be gone, as an item of the map's menu is.
  useEffect(() => document.getElementById(PANEL_HEADING_ID)?.focus(), []);
  return (
    <>
      <PanelHead title="Nearest trucks" onClose={onClose}>
        <div className={`lh-note ${styles.about}`}>
          <p>
            <b>{near.name ?? placeAt?.(near) ?? '…'}</b>{' '}
            <span className="lh-code">{coordinatesText(near)}</span>
          </p>
          <PlaceField onChoose={move} />
          <NearFilters count={rows.length} />
        </div>
      </PanelHead>
      <div className={`lh-scroll ${styles.body}`}>
        {nearest.length > 0 ? null : (
          <p className={styles.none}>
            {isFreeOnly && free !== null
              ? 'No free truck has a position.'
              : 'No truck with a position is shown.'}
          </p>
        )}
        <ol className="lh-list" aria-label="Nearest trucks">
          {nearest.map(({ row, distanceM }) => {
            const unit = fleet && readUnitRow(fleet, row);
            if (!unit) return null;
            return (
              <li key={unit.identity.key} className={styles.item}>
                <NearUnitLine unit={unit} distanceM={distanceM} onSelect={() => onSelect(row)} />
              </li>
            );
          })}
        </ol>
        <p className={styles.note}>{DRIVE_TIME_NOTE}</p>
      </div>
    </>
  );
};

interface NearUnitLineProps {
  unit: UnitRow;
  distanceM: number;
  onSelect: () => void;
}

const NearUnitLine = ({ unit, distanceM, onSelect }: NearUnitLineProps) => {
  const { skewMs } = useReading();
  const placeOf = usePlaceOf();
  const nowMs = useServerNowMs();
  const { contact } = marksOf(unit.identity);
  const summary = toUnitSummary(unit, placeOf, nowMs, skewMs, useOldCopy());
  const { title, status, headingDeg, flagged, statusText, speedText, placeText, fixText } = summary;
  const since = unit.status === 'stopped' && unit.sinceMs !== null ? unit.sinceMs : null;
  return (
    <>
      <button type="button" className={`lh-row ${styles.unit}`} onClick={onSelect}>
        <StatusGlyph status={status} headingDeg={headingDeg} flagged={flagged} size={20} />
        <span className={styles.line}>
          <b className="lh-cut">{title}</b>
          <span className={styles.far}>
            <b>{formatDistance(distanceM)}</b> · {driveTimeText(distanceM)}
          </span>
        </span>
        <span className={styles.does}>
          {speedText ?? statusText}
          {since === null ? '' : `, since ${formatMoment(since - skewMs, nowMs - skewMs)}`}
        </span>
        <small className={styles.line}>
          <span className="lh-cut">{placeText ?? '…'}</span>
          <span>{fixText === null ? 'no time of its fix' : `fix ${fixText}`}</span>
        </small>
      </button>
      {contact === null ? null : (
        <div className={styles.contact}>
          <ContactLine contact={contact} most={1} />
        </div>
      )}
    </>
  );
};
