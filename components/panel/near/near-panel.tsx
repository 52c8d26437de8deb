import { Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useReading, useServerNowMs, useView, useViewStore } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { StatusGlyph } from '@/components/map/status-glyph';
import { toUnitSummary, type UnitSummary } from '@/components/map/unit-summary';
import { BareButton } from '@/components/ui/bare-button';
import { onDemand } from '@/components/ui/popup/on-demand';
import { fold } from '@/lib/base/text/text';
import { toCallable } from '@/lib/contacts/text';
import { STATUS_LABELS } from '@/lib/view/text';
import { useRecordedPlaces } from '@/components/fleet-state/recorded-places';
import { usePlaceOf } from '@/components/fleet-state/sites';
import { formatDistance, formatMoment } from '@/lib/view/format';
import { keepFree } from '@/lib/view/free';
import { NearFilters, useFreeTags } from './near-filters';
import { coordinatesText } from '@/lib/gazetteer/coordinates';
import { boundsAbout, nearestUnits, DRIVE_TIME_NOTE, driveTimeText } from '@/lib/view/near';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { NearPlace } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';
import { ContactLine } from '@/components/contacts/contact-line';
import { marksOf, type UnitContact } from '@/lib/view/marks';
import { PanelHead } from '../panel-head';
import { PANEL_HEADING_ID } from '../panel-heading';
import styles from './near.module.css';
import { PlaceField } from './place-field';
import type { Bounds } from '@/lib/geo/geodesy';

const contactDialog = onDemand(() =>
  import('@/components/contacts/contact-dialog').then(({ ContactDialog }) => ContactDialog),
);

const MOST_LISTED = 25;

interface NearPanelProps {
  near: NearPlace;
  /** Null before the first answer. */
  fleet: Fleet | null;
  rows: Int32Array;
  onSelect: (row: number) => void;
  /** Another place was chosen by name or coordinates; `bounds` holds it and the nearest units. */
  onMove: (near: NearPlace, bounds: Bounds) => void;
  /** The rows that are listed by distance are other ones than those of the fleet's list; null: they are the same. */
  onList: (rows: Int32Array | null) => void;
  onClose: () => void;
}

export const NearPanel = ({ near, fleet, rows, onSelect, onMove, onList, onClose }: NearPanelProps) => {
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
  const isWaiting = nearest.length === 0 && (fleet === null || fleet.feed.fetchedAtMs === null);
  useShown(isFreeOnly, isWaiting, () => boundsAbout(fleet, listed, near));
  useEffect(() => {
    onList(listed === rows ? null : listed);
    return () => onList(null);
  }, [listed, rows, onList]);
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
            {isWaiting
              ? 'Waiting for the positions of the trucks…'
              : isFreeOnly && free !== null
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

/** "Moving · 62 mph NE", "Stopped · parked 2 h 14 m"; of an old copy, what it was. */
const doesText = (
  { status }: UnitRow,
  { speedText, statusText }: Pick<UnitSummary, 'speedText' | 'statusText'>,
  isOld: boolean,
): string => {
  const label = STATUS_LABELS[status];
  const does = speedText ?? statusText;
  return isOld || fold(does).startsWith(fold(label)) ? does : `${label} · ${does}`;
};

interface AddContactProps {
  unit: UnitRow;
  title: string;
  contact: UnitContact | null;
}

/** Leads to the contacts of a truck without anyone to call. */
const AddContact = ({ unit, title, contact }: AddContactProps) => {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <BareButton className="lh-link" onPointerEnter={contactDialog.preload} onClick={() => setAdding(true)}>
        Add a contact<span className="visually-hidden"> of {title}</span>
      </BareButton>
      {isAdding ? (
        <Suspense>
          <contactDialog.Part
            unitKey={unit.identity.key}
            title={title}
            contact={contact}
            onClose={() => setAdding(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
};

/** Shows the nearest units on the map when others are chosen, and once there are any. */
const useShown = (isFreeOnly: boolean, isWaiting: boolean, toBounds: () => Bounds): void => {
  const store = useViewStore();
  const before = useRef({ isFreeOnly, isWaiting });
  const show = useEffectEvent(() => store.showBounds(toBounds()));
  useEffect(() => {
    const { current } = before;
    before.current = { isFreeOnly, isWaiting };
    if (current.isFreeOnly !== isFreeOnly || (current.isWaiting && !isWaiting)) show();
  }, [isFreeOnly, isWaiting]);
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
  const old = useOldCopy();
  const summary = toUnitSummary(unit, placeOf, nowMs, skewMs, old);
  const { title, status, headingDeg, flagged, placeText, fixText } = summary;
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
          {doesText(unit, summary, old !== null)}
          {unit.sinceMs === null ? '' : `, since ${formatMoment(unit.sinceMs - skewMs, nowMs - skewMs)}`}
        </span>
        <small className={styles.line}>
          <span className="lh-cut">{placeText ?? '…'}</span>
          <span>{fixText === null ? 'no time of its fix' : `fix ${fixText}`}</span>
        </small>
      </button>
      <div className={styles.contact}>
        {toCallable(contact).length === 0 ? (
          <AddContact unit={unit} title={title} contact={contact} />
        ) : (
          <ContactLine contact={contact} most={1} />
        )}
      </div>
    </>
  );
};
