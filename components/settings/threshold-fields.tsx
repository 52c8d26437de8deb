import { TextField } from '@/components/desk/form-fields';
import type { FlagSetting, Threshold } from '@/lib/wire/settings';
import { DurationFields, readDuration } from './duration-fields';

/** The times of a flag's threshold, and how many answers it takes where it counts them. */
export const ThresholdFields = ({ setting: { flag, threshold } }: { setting: FlagSetting }) => {
  const toldAs = (name: keyof Threshold): string => `flags.${flag}.${name}`;
  const { enterAnswers, leaveAnswers } = threshold;
  return (
    <>
      {enterAnswers === undefined ? null : (
        <TextField
          name="enterAnswers"
          toldAs={toldAs('enterAnswers')}
          label="Answers in a row that name another carrier"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={enterAnswers}
          data-autofocus
        />
      )}
      <DurationFields
        name="enter"
        toldAs={toldAs('enterMs')}
        label="Put up after"
        ms={threshold.enterMs}
        isFirst={enterAnswers === undefined}
      />
      {leaveAnswers === undefined ? null : (
        <TextField
          name="leaveAnswers"
          toldAs={toldAs('leaveAnswers')}
          label="Answers in a row that name the fleet’s own carrier"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={leaveAnswers}
        />
      )}
      <DurationFields
        name="leave"
        toldAs={toldAs('leaveMs')}
        label="Taken down after"
        ms={threshold.leaveMs}
      />
    </>
  );
};

const readWhole = (fields: FormData, name: string): number => {
  const typed = String(fields.get(name) ?? '').trim();
  return typed === '' ? NaN : Number(typed);
};

/** What was typed into the fields of a threshold that was shown as `held`. */
export const readThreshold = (fields: FormData, held: Threshold): Threshold => ({
  enterMs: readDuration(fields, 'enter'),
  leaveMs: readDuration(fields, 'leave'),
  ...(held.enterAnswers === undefined
    ? {}
    : {
        enterAnswers: readWhole(fields, 'enterAnswers'),
        leaveAnswers: readWhole(fields, 'leaveAnswers'),
      }),
});
