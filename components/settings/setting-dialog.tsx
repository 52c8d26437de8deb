import { Group, NativeSelect, TextInput } from '@mantine/core';
import { FormDialog } from '@/components/kit/dialog';
import { useViewer } from '@/components/layout/viewer-context';
import type { FormFields } from '@/components/ui/api-form';
import { useChangeSettings } from '@/lib/settings/queries';
import {
  settingsChangeSchema,
  type FlagSetting,
  type SettingsChange,
  type Threshold,
} from '@/lib/settings/schema';
import { enterText, leaveText, DURATION_UNITS, toAmount } from '@/lib/settings/text';
import { FLAG_LABELS } from '@/lib/view/text';

export type SettingTask =
  | { kind: 'second-factor'; isRequired: boolean }
  | { kind: 'flag' | 'preset'; setting: FlagSetting };

export const SettingDialog = ({ task, onClose }: { task: SettingTask; onClose: () => void }) => {
  const { mutateAsync: change } = useChangeSettings();
  if (task.kind === 'second-factor') {
    const { isRequired } = task;
    return (
      <FormDialog
        title={
          isRequired
            ? 'Require a second factor for managers?'
            : 'Make the second factor optional for managers?'
        }
        action={isRequired ? 'Require it' : 'Make it optional'}
        isDangerous={!isRequired}
        send={() => change({ isSecondFactorRequired: isRequired })}
        onClose={onClose}
      >
        <SecondFactorEffect isRequired={isRequired} />
      </FormDialog>
    );
  }
  const { setting } = task;
  const { flag, preset } = setting;
  return task.kind === 'flag' ? (
    <FormDialog
      title={`When to flag: ${FLAG_LABELS[flag]}`}
      action="Save"
      initialValues={toThresholdValues(setting)}
      toInput={toThresholdChange}
      schema={settingsChangeSchema}
      send={change}
      onClose={onClose}
    >
      {(form) => <ThresholdFields form={form} setting={setting} />}
    </FormDialog>
  ) : (
    <FormDialog
      title={`Back to the default: ${FLAG_LABELS[flag]}?`}
      action="Use the default"
      send={() => change({ flags: { [flag]: null } })}
      onClose={onClose}
    >
      <p>
        The flag is raised after {enterText(preset)}, and cleared after {leaveText(preset)}.
      </p>
    </FormDialog>
  );
};

const SecondFactorEffect = ({ isRequired }: { isRequired: boolean }) => {
  const { kind } = useViewer();
  if (!isRequired) return <p>Managers who have a second factor keep it, and can remove it.</p>;
  return (
    <>
      <p>
        Managers who sign in by password and have no second factor must set one up at their next click. Maps
        that they have open close as well.
      </p>
      {kind === 'user' ? <p>If you have none, you set it up next.</p> : null}
    </>
  );
};

const UNITS = DURATION_UNITS.map(({ name }) => ({ value: name, label: name }));

type Time = 'enterMs' | 'leaveMs';

interface ThresholdValues {
  flags: Record<string, Partial<Record<keyof Threshold, string>>>;
  units: Record<Time, string>;
}

const toThresholdValues = ({ flag, threshold }: FlagSetting): ThresholdValues => {
  const [enter, leave] = [toAmount(threshold.enterMs), toAmount(threshold.leaveMs)];
  const { enterAnswers, leaveAnswers } = threshold;
  const answers = { enterAnswers: String(enterAnswers), leaveAnswers: String(leaveAnswers) };
  return {
    flags: {
      [flag]: {
        enterMs: String(enter.amount),
        leaveMs: String(leave.amount),
        ...(enterAnswers === undefined ? {} : answers),
      },
    },
    units: { enterMs: enter.unit.name, leaveMs: leave.unit.name },
  };
};

/** NaN if the text is not a number. */
const toNumber = (typed = ''): number => (typed.trim() === '' ? NaN : Number(typed));

/** The threshold in the format of the request; NaN for each text that is not a number. */
const toThresholdChange = ({ flags, units }: ThresholdValues): SettingsChange => {
  const toMs = (typed: string | undefined, name: string): number => {
    const unit = DURATION_UNITS.find((each) => each.name === name);
    return unit === undefined ? NaN : Math.round(toNumber(typed) * unit.ms);
  };
  const toThreshold = (typed: ThresholdValues['flags'][string]): Threshold => ({
    enterMs: toMs(typed.enterMs, units.enterMs),
    leaveMs: toMs(typed.leaveMs, units.leaveMs),
    ...(typed.enterAnswers === undefined
      ? {}
      : { enterAnswers: toNumber(typed.enterAnswers), leaveAnswers: toNumber(typed.leaveAnswers) }),
  });
  return {
    flags: Object.fromEntries(Object.entries(flags).map(([flag, typed]) => [flag, toThreshold(typed)])),
  };
};

interface ThresholdFieldsProps {
  form: FormFields<ThresholdValues>;
  setting: FlagSetting;
}

/** The times of a flag's threshold, and the number of answers for a flag that counts them. */
const ThresholdFields = ({ form: { field }, setting }: ThresholdFieldsProps) => {
  const { flag, threshold } = setting;
  const countsAnswers = threshold.enterAnswers !== undefined;
  const toAnswers = (name: 'enterAnswers' | 'leaveAnswers', label: string) =>
    countsAnswers ? (
      <TextInput
        label={label}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus={name === 'enterAnswers' || undefined}
        {...field(`flags.${flag}.${name}`)}
      />
    ) : null;
  const toDuration = (name: Time, label: string) => (
    <Group gap={10} align="end" grow wrap="nowrap">
      <TextInput
        label={label}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus={(name === 'enterMs' && !countsAnswers) || undefined}
        {...field(`flags.${flag}.${name}`)}
      />
      <NativeSelect aria-label={`Unit of “${label}”`} data={UNITS} {...field(`units.${name}`)} />
    </Group>
  );
  return (
    <>
      {toAnswers('enterAnswers', 'Answers in a row that name another carrier')}
      {toDuration('enterMs', 'Raised after')}
      {toAnswers('leaveAnswers', 'Answers in a row that name the fleet’s own carrier')}
      {toDuration('leaveMs', 'Cleared after')}
    </>
  );
};
