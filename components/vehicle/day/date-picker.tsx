import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Popup } from '@/components/ui/popup/popup';
import { addDays, type CivilDay } from '@/lib/trips/days';
import { useRecordedDays } from '@/lib/past/queries';
import { formatCount } from '@/lib/view/format';
import styles from './day.module.css';
import { LENGTHS } from './use-day-address';

const DATE = { timeZone: 'UTC', month: 'short', day: 'numeric', year: 'numeric' } as const;
const DAY = new Intl.DateTimeFormat('en-US', { ...DATE, weekday: 'short' });
const RANGE = new Intl.DateTimeFormat('en-US', DATE);

interface DatePickerProps {
  /** The last day of the range, and how many it has. */
  day: CivilDay;
  days: number;
  today: CivilDay;
  zone: string;
  onChoose: (day: CivilDay, days: number) => void;
  onMove: (by: -1 | 1) => void;
}

const toLabel = (day: CivilDay, days: number, today: CivilDay): string => {
  if (days > 1) return RANGE.formatRange(Date.parse(addDays(day, 1 - days)), Date.parse(day));
  return day === today ? 'Today' : DAY.format(Date.parse(day));
};

export const DatePicker = ({ day, days, today, zone, onChoose, onMove }: DatePickerProps) => {
  const [isOpen, setOpen] = useState(false);
  const { data } = useRecordedDays(useUsdot(), zone);
  return (
    <div className={styles.dates} role="group" aria-label="Day">
      <ActionIcon variant="default" size={36} aria-label="Day before" onClick={() => onMove(-1)}>
        <IconChevronLeft size={18} />
      </ActionIcon>
      <Popup
        kind="dialog"
        width={296}
        position="bottom-start"
        isOpen={isOpen}
        onOpenChange={setOpen}
        target={
          <Button variant="default" h={36} px={12} fz={13} rightSection={<IconChevronDown size={15} />}>
            {toLabel(day, days, today)}
          </Button>
        }
      >
        <Calendar
          chosen={day}
          today={today}
          recorded={data === undefined ? null : new Set(data.days)}
          onChoose={(next) => {
            setOpen(false);
            onChoose(next, days);
          }}
        />
      </Popup>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Day after"
        disabled={day >= today}
        onClick={() => onMove(1)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </div>
  );
};

export const LengthSelect = ({ days, onChoose }: { days: number; onChoose: (days: number) => void }) => (
  <label>
    <span className="visually-hidden">Range</span>
    <select
      className={`lh-select ${styles.select}`}
      value={days}
      onChange={({ target }) => onChoose(Number(target.value))}
    >
      {LENGTHS.map((each) => (
        <option key={each} value={each}>
          {formatCount(each, 'day')}
        </option>
      ))}
    </select>
  </label>
);

const UTC = { timeZone: 'UTC' } as const;
const MONTH = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'long', year: 'numeric' });
const LONG = new Intl.DateTimeFormat('en-US', {
  ...UTC,
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
});
const WEEKDAYS = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];
const DAYS_OF_KEY: Partial<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

const firstOf = (day: CivilDay): CivilDay => `${day.slice(0, 7)}-01`;
const monthBefore = (day: CivilDay): CivilDay => firstOf(addDays(firstOf(day), -1));
const monthAfter = (day: CivilDay): CivilDay => firstOf(addDays(firstOf(day), 31));
const weekdayOf = (day: CivilDay): number => new Date(Date.parse(day)).getUTCDay();

/** The weeks of a month, Sunday first; null: a day of another month. */
const toWeeks = (month: CivilDay): (CivilDay | null)[][] => {
  const days: (CivilDay | null)[] = new Array<null>(weekdayOf(month)).fill(null);
  for (let day = month; day < monthAfter(month); day = addDays(day, 1)) days.push(day);
  return Array.from({ length: Math.ceil(days.length / 7) }, (_, week) => days.slice(7 * week, 7 * week + 7));
};

const WEEK_HEAD = (
  <thead>
    <tr>
      {WEEKDAYS.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

interface CalendarProps {
  chosen: CivilDay;
  today: CivilDay;
  /** Null while it is not known. */
  recorded: ReadonlySet<CivilDay> | null;
  onChoose: (day: CivilDay) => void;
}

const Calendar = ({ chosen, today, recorded, onChoose }: CalendarProps) => {
  const [focused, setFocused] = useState(chosen);
  const table = useRef<HTMLTableElement>(null);
  const month = firstOf(focused);

  const focusDay = (day: CivilDay): void => {
    if (day <= today) setFocused(day);
  };
  const hasKeys = useRef(true);
  useEffect(() => {
    if (hasKeys.current) table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    hasKeys.current = false;
  }, [focused]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = DAYS_OF_KEY[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    hasKeys.current = true;
    focusDay(addDays(focused, by));
  };

  return (
    <div className={styles.calendar}>
      <MonthHead month={month} today={today} onChoose={setFocused} />
      <table ref={table} onKeyDown={onKeyDown}>
        {WEEK_HEAD}
        <tbody>
          {toWeeks(month).map((week, index) => (
            <tr key={index}>
              {week.map((day, weekday) => (
                <td key={weekday}>
                  {day === null ? null : (
                    <button
                      type="button"
                      tabIndex={day === focused ? 0 : -1}
                      disabled={day > today}
                      data-recorded={recorded?.has(day) ?? false}
                      aria-current={day === chosen ? 'date' : undefined}
                      aria-label={`${LONG.format(Date.parse(day))}${recorded?.has(day) ? ', recorded' : ''}`}
                      onClick={() => onChoose(day)}
                    >
                      {Number(day.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <span className={styles.mark} /> recorded
      </p>
    </div>
  );
};

interface MonthHeadProps {
  month: CivilDay;
  today: CivilDay;
  onChoose: (month: CivilDay) => void;
}

const MonthHead = ({ month, today, onChoose }: MonthHeadProps) => (
  <div className={styles.month}>
    <button type="button" aria-label="Month before" onClick={() => onChoose(monthBefore(month))}>
      <IconChevronLeft size={18} aria-hidden="true" />
    </button>
    <strong aria-live="polite">{MONTH.format(Date.parse(month))}</strong>
    <button
      type="button"
      aria-label="Month after"
      disabled={monthAfter(month) > today}
      onClick={() => onChoose(monthAfter(month))}
    >
      <IconChevronRight size={18} aria-hidden="true" />
    </button>
  </div>
);
