import { Button, Group, Input, NativeSelect, Stack, type NativeSelectProps } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import type { WeeklyHours } from '@/lib/rules/site';
import { MAX_LINES, toMinute, toTime, WEEKDAYS, toZoneOptions } from './weekly-hours';
import styles from './weekly-hours.module.css';

type Line = WeeklyHours['days'][number];

const WORK_DAYS: Line = { weekdays: [1, 2, 3, 4, 5], fromMin: 8 * 60, toMin: 17 * 60 };

interface WeeklyHoursFieldProps {
  label: string;
  description?: ReactNode;
  /** The choice of no hours, such as "Always open"; without it, there always are hours. */
  noneLabel?: string;
  /** The choice of hours. */
  someLabel?: string;
  /** The hours that are there when they are chosen first. */
  firstLine?: Line;
  value: WeeklyHours | null;
  onChange: (value: WeeklyHours | null) => void;
  error?: ReactNode;
  name?: string;
  'data-path'?: string;
}

export const WeeklyHoursField = (props: WeeklyHoursFieldProps) => {
  const { label, description, noneLabel, someLabel = 'At these hours', firstLine = WORK_DAYS } = props;
  const { value, onChange, error, name } = props;
  const choose = (isChosen: boolean): void =>
    onChange(
      isChosen ? { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, days: [firstLine] } : null,
    );
  return (
    <div data-path={props['data-path']}>
      {noneLabel === undefined ? (
        <Input.Label component="span">{label}</Input.Label>
      ) : (
        <NativeSelect
          label={label}
          description={description}
          name={name}
          data={[
            { value: '', label: noneLabel },
            { value: 'some', label: someLabel },
          ]}
          value={value === null ? '' : 'some'}
          onChange={({ target }) => choose(target.value !== '')}
          error={value === null ? error : undefined}
        />
      )}
      {value === null ? null : <Hours label={label} value={value} error={error} onChange={onChange} />}
    </div>
  );
};

interface HoursProps {
  label: string;
  value: WeeklyHours;
  error: ReactNode;
  onChange: (value: WeeklyHours) => void;
}

const Hours = ({ label, value, error, onChange }: HoursProps) => {
  const { days, timeZone } = value;
  const change = (index: number, line: Line): void =>
    onChange({ ...value, days: days.map((each, i) => (i === index ? line : each)) });
  return (
    <Stack gap={8} mt={8} role="group" aria-label={label}>
      {days.map((line, index) => (
        <HoursLine
          key={index}
          line={line}
          onChange={(changed) => change(index, changed)}
          onRemove={
            days.length === 1
              ? undefined
              : () => onChange({ ...value, days: days.filter((_, i) => i !== index) })
          }
        />
      ))}
      <Group gap={8}>
        {days.length < MAX_LINES ? (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={2} aria-hidden="true" />}
            onClick={() => onChange({ ...value, days: [...days, days.at(-1)!] })}
          >
            More hours
          </Button>
        ) : null}
        <ZoneSelect
          aria-label="Time zone"
          value={timeZone}
          onChange={({ target }) => onChange({ ...value, timeZone: target.value })}
          aria-invalid={error ? true : undefined}
        />
      </Group>
      {error ? <Input.Error role="alert">{error}</Input.Error> : null}
    </Stack>
  );
};

interface HoursLineProps {
  line: Line;
  onChange: (line: Line) => void;
  /** Undefined for the only line. */
  onRemove: (() => void) | undefined;
}

const HoursLine = ({ line, onChange, onRemove }: HoursLineProps) => {
  const { weekdays, fromMin, toMin } = line;
  return (
    <Group gap="8px 12px">
      <WeekdayButtons value={weekdays} onChange={(chosen) => onChange({ ...line, weekdays: chosen })} />
      <Group gap={8} wrap="nowrap">
        <TimeInput
          label="From"
          value={fromMin}
          onChange={(minute) => onChange({ ...line, fromMin: minute })}
        />
        <span>to</span>
        <TimeInput
          label="To"
          value={toMin}
          // Midnight ends a day; the field has no 24:00.
          onChange={(minute) => onChange({ ...line, toMin: minute === 0 ? 24 * 60 : minute })}
        />
        {toMin <= fromMin ? <span className="lh-note">the next day</span> : null}
        {onRemove === undefined ? null : (
          <BareButton className="lh-icon" aria-label="Remove these hours" onClick={onRemove}>
            <IconX size={16} stroke={2} aria-hidden="true" />
          </BareButton>
        )}
      </Group>
    </Group>
  );
};

interface TimeInputProps {
  label: string;
  /** Minutes after midnight. */
  value: number;
  onChange: (minute: number) => void;
}

const TimeInput = ({ label, value, onChange }: TimeInputProps) => (
  <input
    type="time"
    className="lh-field"
    aria-label={label}
    value={toTime(value)}
    onChange={({ target }) => {
      const minute = toMinute(target.value);
      if (minute !== null) onChange(minute);
    }}
  />
);

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

export const ZoneSelect = ({ value, ...props }: Omit<NativeSelectProps, 'data'> & { value: string }) => (
  <NativeSelect {...props} data={toZoneOptions(value)} value={value} />
);
