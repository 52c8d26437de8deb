import { IconNote } from '@tabler/icons-react';
import { memo } from 'react';
import { FlagSign, StatusGlyph } from '@/components/map/status-glyph';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import { useIsRendered, useNowMs } from '@/components/ui/use-now';
import {
  columnsText,
  type ListColumn,
  FLAG_LABELS,
  PAST_STATUS_LABELS,
  STATUS_LABELS,
  datedAtMs,
  positionErrorText,
  pastText,
  statusText,
} from '@/lib/view/text';
import type { UnitLoad } from '@/lib/view/load-verdicts';
import { marksOf, type UnitNote } from '@/lib/view/marks';
import { unitName } from '@/lib/view/unit-name';
import type { UnitRow } from '@/lib/view/unit-row';
import { formatMoment, shortFixAgeText } from '@/lib/view/format';
import type { Flag } from '@/lib/motion/status';
import styles from './unit-list.module.css';

interface UnitRowLineProps {
  unit: UnitRow;
  /** The name of its position; null while that is unknown. */
  place: string | null;
  skewMs: number;
  /** What it shows besides, in a line of its own. */
  columns: readonly ListColumn[];
}

export const UnitRowLine = memo(function UnitRowLine({ unit, place, skewMs, columns }: UnitRowLineProps) {
  const { status, headingDeg, flags, fixAtMs, coarseM } = unit;
  const old = useOldCopy();
  return (
    <>
      <StatusGlyph status={status} headingDeg={headingDeg} size={20} className={styles.glyph} />
      <span className={styles.line}>
        <span className={styles.who}>
          <span className="visually-hidden">{(old ? PAST_STATUS_LABELS : STATUS_LABELS)[status]}</span>{' '}
          <b className={`${styles.name} lh-cut`}>{unitName(unit.identity)}</b>
          <FlagLabels flags={flags} />
          <NoteLabel notes={marksOf(unit.identity).notes} />
        </span>
        <span className={styles.what} data-status={status}>
          {old === null ? <What unit={unit} skewMs={skewMs} /> : pastText(unit, old)}
        </span>
      </span>
      <span className={styles.line}>
        <span className="lh-note lh-cut">
          {place}
          {place === null || coarseM === 0 ? null : ` ${positionErrorText(coarseM)}`}
        </span>
        <LoadLabel loads={marksOf(unit.identity).loads} />
        <span className={`lh-small ${styles.age}`}>
          {fixAtMs === null ? null : <UnitAge fixAtMs={fixAtMs} skewMs={skewMs} />}
        </span>
      </span>
      {columns.length === 0 ? null : (
        <span className={`lh-small ${styles.columns} lh-cut`}>{columnsText(unit.identity, columns)}</span>
      )}
    </>
  );
});

const What = ({ unit, skewMs }: { unit: UnitRow; skewMs: number }) => {
  const nowMs = useNowMs() + skewMs;
  const isRendered = useIsRendered();
  return isRendered && datedAtMs(unit, nowMs) !== null ? null : statusText(unit, nowMs);
};

/** The first flag of a unit as a word with a triangle, and how many more there are. */
export const FlagLabels = ({ flags }: { flags: readonly Flag[] }) => {
  const [first, ...others] = flags;
  if (first === undefined) return null;
  return (
    <span className={styles.flag}>
      <FlagSign size={10} />
      <span className="lh-cut">{FLAG_LABELS[first]}</span>
      {others.length > 0 ? <span>+{others.length}</span> : null}
    </span>
  );
};

/** The sign of the notes on a unit, of which the newest is read out. */
const NoteLabel = ({ notes: [note] }: { notes: readonly UnitNote[] }) =>
  note === undefined ? null : (
    <span className={styles.note}>
      <IconNote size={13} stroke={1.75} aria-hidden="true" />
      <span className="visually-hidden"> Note: {note.text}</span>
    </span>
  );

/** The most urgent load of a unit with its verdict, or in the past what it did then, and how many more there are. */
const LoadLabel = ({ loads: [load, ...others] }: { loads: readonly UnitLoad[] }) =>
  load === undefined ? null : (
    <span className={`lh-small ${styles.load}`} data-verdict={load.verdict ?? undefined}>
      <span className="visually-hidden"> Load </span>
      {load.references[0]} {load.label}
      {others.length > 0 ? ` +${others.length}` : ''}
    </span>
  );

interface UnitAgeProps {
  fixAtMs: number;
  skewMs: number;
}

/** How old a fix is, ticking; in an old copy, which does not count on, when it was. */
export const UnitAge = (props: UnitAgeProps) => {
  const old = useOldCopy();
  return old === null ? <TickingAge {...props} /> : formatMoment(props.fixAtMs - props.skewMs, old.asOfMs);
};

const TickingAge = ({ fixAtMs, skewMs }: UnitAgeProps) => shortFixAgeText(useNowMs() + skewMs - fixAtMs);
