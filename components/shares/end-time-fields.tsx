import { NativeSelect, TextInput } from '@mantine/core';
import type { FormFields } from '@/components/ui/api-form';
import { formatDayAndTime } from '@/lib/view/format';
import { readEndMs, type Choice, type ClockReading, type TimeValues } from './end-time';

interface EndTimeFieldsProps {
  label: string;
  choices: readonly Choice[];
  values: TimeValues;
  field: FormFields['field'];
  reading: ClockReading;
}

/** When a link or calendar ends at the latest: one of some choices, or a time that is typed. */
export const EndTimeFields = ({ label, choices, values, field, reading }: EndTimeFieldsProps) => {
  const endMs = readEndMs(values, reading);
  return (
    <>
      <NativeSelect label={label} data={[...choices]} {...field('within')} value={values.within} />
      {values.within === 'at' ? (
        <TextInput
          label="Time"
          autoComplete="off"
          maxLength={60}
          description={
            endMs === undefined
              ? 'By your clock: 5p, tomorrow 17:00, 12/3 8a'
              : formatDayAndTime(endMs, reading.nowMs)
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('endsMs')}
        />
      ) : null}
    </>
  );
};
