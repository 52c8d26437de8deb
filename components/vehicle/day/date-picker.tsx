import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Popup } from '@/components/ui/popup/popup';
import { addDays, type CivilDay } from '@/lib/trips/days';
import { useRecordedDays } from '@/lib/past/queries';
import { formatCount } from '@/lib/view/format';
import { Calendar } from './calendar';
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

/** The day before, a calendar, and the day after. */
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

/** How many days are shown. */
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
