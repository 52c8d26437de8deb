import { NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import styles from '../alerts.module.css';

/** Minutes of each unit, the largest first. */
const UNITS = { d: 24 * 60, h: 60, min: 1 } as const;
type Unit = keyof typeof UNITS;
const NAMES: Record<Unit, string> = { min: 'minutes', h: 'hours', d: 'days' };

/** The largest unit that gives a whole number. */
const unitOf = (minutes: number): Unit =>
  (['d', 'h'] as const).find((unit) => minutes > 0 && minutes % UNITS[unit] === 0) ?? 'min';

interface DurationFieldProps {
  label: string;
  /** Minutes. */
  value: number;
  onChange: (minutes: number) => void;
  error?: ReactNode;
  name?: string;
  'data-path'?: string;
  'aria-invalid'?: true;
}

/** A time as a number and its unit; its value is in minutes. */
export const DurationField = ({ label, value, onChange, ...field }: DurationFieldProps) => {
  const [unit, setUnit] = useState<Unit>(() => unitOf(value));
  const [typed, setTyped] = useState(() => (Number.isNaN(value) ? '' : String(value / UNITS[unit])));
  const change = (text: string, of: Unit): void => {
    setTyped(text);
    setUnit(of);
    onChange(text.trim() === '' ? NaN : Number(text) * UNITS[of]);
  };
  return (
    <div className={styles.duration}>
      <TextInput
        {...field}
        aria-label={label}
        inputMode="numeric"
        autoComplete="off"
        w={64}
        value={typed}
        onChange={({ currentTarget }) => change(currentTarget.value, unit)}
      />
      <NativeSelect
        aria-label={`${label}: unit`}
        data={(Object.keys(UNITS) as Unit[]).reverse().map((each) => ({ value: each, label: NAMES[each] }))}
        value={unit}
        onChange={({ currentTarget }) => change(typed, currentTarget.value as Unit)}
      />
    </div>
  );
};
