import { TextField } from '@/components/ui/form-fields';
import type { FlagSetting, Threshold } from '@/lib/settings/schema';
import { DurationFields, readDuration, readNumber } from './duration-fields';

/** The times of a flag's threshold, and how many answers it takes where it counts them. */
export const ThresholdFields = ({ setting: { flag, threshold } }: { setting: FlagSetting }) => {
  const toldAs = (name: keyof Threshold): string => `flags.${flag}.${name}`;
  const toAnswersField = (name: 'enterAnswers' | 'leaveAnswers', label: string, isFirst: boolean) =>
    threshold[name] === undefined ? null : (
      <TextField
        name={name}
        toldAs={toldAs(name)}
        label={label}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={threshold[name]}
        data-autofocus={isFirst || undefined}
      />
    );
  return (
    <>
      {toAnswersField('enterAnswers', 'Answers in a row that name another carrier', true)}
      <DurationFields
        name="enter"
        toldAs={toldAs('enterMs')}
        label="Put up after"
        ms={threshold.enterMs}
        isFirst={threshold.enterAnswers === undefined}
      />
      {toAnswersField('leaveAnswers', 'Answers in a row that name the fleet’s own carrier', false)}
      <DurationFields
        name="leave"
        toldAs={toldAs('leaveMs')}
        label="Taken down after"
        ms={threshold.leaveMs}
      />
    </>
  );
};

/** What was typed into the fields of a threshold that was shown as `held`. */
export const readThreshold = (fields: FormData, held: Threshold): Threshold => ({
  enterMs: readDuration(fields, 'enter'),
  leaveMs: readDuration(fields, 'leave'),
  ...(held.enterAnswers === undefined
    ? {}
    : {
        enterAnswers: readNumber(fields, 'enterAnswers'),
        leaveAnswers: readNumber(fields, 'leaveAnswers'),
      }),
});
