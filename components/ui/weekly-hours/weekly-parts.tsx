import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { BareButton } from '@/components/ui/bare-button';
import { WEEKDAYS, toZoneOptions } from './weekly-hours';
import styles from './weekly-hours.module.css';

interface WeekdayButtonsProps {
  /** ISO weekdays, 1 is Monday. */
  value: readonly number[];
  onChange: (weekdays: number[]) => void;
}

/** Weekdays, each with a button that adds or removes it. */
export const WeekdayButtons = ({ value, onChange }: WeekdayButtonsProps) => {
  const toggle = (day: number): void =>
    onChange(value.includes(day) ? value.filter((each) => each !== day) : [...value, day].sort());
  return (
    <div role="group" aria-label="Weekdays" className={styles.days}>
      {WEEKDAYS.map((name, index) => (
        <BareButton
          key={name}
          className={styles.day}
          aria-label={name}
          title={name}
          aria-pressed={value.includes(index + 1)}
          onClick={() => toggle(index + 1)}
        >
          {name.slice(0, 2)}
        </BareButton>
      ))}
    </div>
  );
};

/** A time zone by its IANA name. */
export const ZoneSelect = ({ value, ...props }: Omit<NativeSelectProps, 'data'> & { value: string }) => (
  <NativeSelect {...props} data={toZoneOptions(value)} value={value} />
);
