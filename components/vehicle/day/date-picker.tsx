'use client';

import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Popup } from '@/components/ui/popup/popup';
import { addDays } from '@/lib/history/days';
import type { CivilDay } from '@/lib/history/days';
import { useRecordedDays } from '@/lib/history/queries';
import { Calendar } from './calendar';
import styles from './day.module.css';

const DAY = new Intl.DateTimeFormat('en-US', {
  ...{ timeZone: 'UTC', weekday: 'short' },
  ...{ month: 'short', day: 'numeric', year: 'numeric' },
});

interface DatePickerProps {
  day: CivilDay;
  today: CivilDay;
  zone: string;
  onChoose: (day: CivilDay) => void;
}

/** The day before, a calendar, and the day after. */
export const DatePicker = ({ day, today, zone, onChoose }: DatePickerProps) => {
  const [isOpen, setOpen] = useState(false);
  const { data } = useRecordedDays(useUsdot(), zone);
  return (
    <div className={styles.dates} role="group" aria-label="Day">
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Day before"
        onClick={() => onChoose(addDays(day, -1))}
      >
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
            {day === today ? 'Today' : DAY.format(Date.parse(day))}
          </Button>
        }
      >
        <Calendar
          chosen={day}
          today={today}
          recorded={data === undefined ? null : new Set(data.days)}
          onChoose={(next) => {
            setOpen(false);
            onChoose(next);
          }}
        />
      </Popup>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Day after"
        disabled={day >= today}
        onClick={() => onChoose(addDays(day, 1))}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </div>
  );
};
