import { SelectField, TextField } from '@/components/ui/form-fields';
import { DURATION_UNITS, toAmount } from '@/lib/settings/exact-duration';
import styles from './settings-page.module.css';

const UNITS = DURATION_UNITS.map(({ name }) => ({ value: name, label: name }));

interface DurationFieldsProps {
  /** Of the amount; that of its unit is this and "Unit". */
  name: string;
  /** By which the server speaks of the duration. */
  toldAs: string;
  label: string;
  ms: number;
  isFirst?: boolean;
}

/** A duration as an amount and its unit. */
export const DurationFields = ({ name, toldAs, label, ms, isFirst = false }: DurationFieldsProps) => {
  const { amount, unit } = toAmount(ms);
  return (
    <div className={styles.duration}>
      <TextField
        name={name}
        toldAs={toldAs}
        label={label}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={amount}
        data-autofocus={isFirst || undefined}
      />
      <SelectField
        name={`${name}Unit`}
        aria-label={`Unit of “${label}”`}
        data={UNITS}
        defaultValue={unit.name}
      />
    </div>
  );
};

/** What was typed; NaN where it is no number. */
export const readNumber = (fields: FormData, name: string): number => {
  const typed = String(fields.get(name) ?? '').trim();
  return typed === '' ? NaN : Number(typed);
};

/** What was typed, in milliseconds; NaN where it is no number. */
export const readDuration = (fields: FormData, name: string): number => {
  const unit = DURATION_UNITS.find((each) => each.name === fields.get(`${name}Unit`));
  return unit === undefined ? NaN : Math.round(readNumber(fields, name) * unit.ms);
};
