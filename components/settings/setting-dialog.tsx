'use client';

import { FormDialog } from '@/components/kit/dialog';
import { useViewer } from '@/components/layout/viewer-context';
import { useChangeSettings } from '@/lib/settings/queries';
import { settingsChangeSchema, type FlagSetting } from '@/lib/settings/schema';
import { enterText, leaveText } from '@/lib/settings/text';
import { FLAG_LABELS } from '@/lib/view/text';
import { ThresholdFields, toThresholdChange, toThresholdValues } from './threshold-fields';

/** The change that a dialog makes. */
export type SettingTask =
  | { kind: 'second-factor'; isRequired: boolean }
  | { kind: 'flag' | 'preset'; setting: FlagSetting };

interface SettingDialogProps {
  task: SettingTask;
  onClose: () => void;
}

/** One change of a setting. */
export const SettingDialog = ({ task, onClose }: SettingDialogProps) => {
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
