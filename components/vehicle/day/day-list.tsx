import { IconPlugConnectedX } from '@tabler/icons-react';
import { Fragment, memo, useEffect, useRef } from 'react';
import { StatusGlyph } from '@/components/map/status-glyph';
import { useRecordedPlaces } from '@/components/fleet-state/recorded-places';
import { dayOf } from '@/lib/trips/days';
import { toEntryText } from '@/lib/past/text';
import { findEntry, type DayEntry } from '@/lib/trips/trips';
import { formatDuration, formatMoment } from '@/lib/view/format';
import { isOneDay, type ShownDay } from './day-bar';
import { useShown } from '@/components/trail/day-player';
import styles from './day.module.css';

export const DayList = ({ day, zone, player }: ShownDay) => {
  const current = useShown(player, (atMs) => findEntry(day, atMs));
  return (
    <section className={styles.list} aria-label="Trips and stops">
      <h2 className="lh-head">Trips and stops</h2>
      {day.entries.length === 0 ? <p className={styles.empty}>Nothing was recorded on this day.</p> : null}
      <ol className="lh-list">
        {day.entries.map((entry, index) => (
          <Fragment key={entry.fromMs}>
            {isOneDay(day) || isSameDay(day.entries[index - 1], entry, zone) ? null : (
              <li className={`lh-small ${styles.date}`}>{formatDay(entry.fromMs, zone)}</li>
            )}
            <Entry entry={entry} zone={zone} player={player} isCurrent={index === current} />
          </Fragment>
        ))}
      </ol>
    </section>
  );
};

const isSameDay = (before: DayEntry | undefined, { fromMs }: DayEntry, zone: string): boolean =>
  before !== undefined && dayOf(before.fromMs, zone) === dayOf(fromMs, zone);

const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', month: 'long', day: 'numeric' };
const formatDay = (atMs: number, zone: string): string =>
  new Intl.DateTimeFormat('en-US', { ...DAY, timeZone: zone }).format(atMs);

const SYMBOLS = { trip: 'moving', stop: 'stopped', silent: 'silent' } as const;

const Symbol = ({ kind }: Pick<DayEntry, 'kind'>) =>
  kind === 'notRecorded' ? (
    <IconPlugConnectedX size={18} stroke={1.75} color="var(--lh-dim)" aria-hidden="true" />
  ) : (
    <StatusGlyph status={SYMBOLS[kind]} headingDeg={kind === 'trip' ? 90 : null} size={18} />
  );

/** Scrolls the list alone: on a phone the page would leave the bar and the map. */
const reveal = (entry: HTMLElement): void => {
  const list = entry.closest('section')!;
  const [top, bottom] = [entry.offsetTop, entry.offsetTop + entry.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
};

interface EntryProps extends Pick<ShownDay, 'zone' | 'player'> {
  entry: DayEntry;
  isCurrent: boolean;
}

const Entry = memo(({ entry, zone, player, isCurrent }: EntryProps) => {
  const placeAt = useRecordedPlaces();
  const button = useRef<HTMLButtonElement>(null);
  const { fromMs, toMs, kind } = entry;
  // Of another day with its date.
  const timeOf = (atMs: number): string => formatMoment(atMs, fromMs, zone);
  const { label, text, notes } = toEntryText(entry, placeAt, timeOf);

  useEffect(() => {
    if (isCurrent && button.current) reveal(button.current);
    // The names of places make the entries higher.
  }, [isCurrent, placeAt]);

  return (
    <li>
      <button
        ref={button}
        type="button"
        className={`lh-row ${styles.entry}`}
        data-kind={kind}
        aria-current={isCurrent ? 'true' : undefined}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && player.peek(fromMs)}
        onPointerLeave={() => player.peek(null)}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && player.peek(fromMs)}
        onBlur={() => player.peek(null)}
        onClick={() => player.seek(fromMs)}
      >
        <span className="lh-dim">{timeOf(fromMs)}</span>
        <Symbol kind={kind} />
        <span className={styles.entryText}>
          <span>
            <strong>{label}</strong>
            {text === '' ? null : ` · ${text}`}
          </span>
          {notes.map((note) => (
            <small key={note}>{note}</small>
          ))}
        </span>
        <span className={styles.entrySpan}>{formatDuration(toMs - fromMs)}</span>
      </button>
    </li>
  );
});
Entry.displayName = 'Entry';
