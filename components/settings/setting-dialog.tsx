'use client';

import { useViewer } from '@/components/layout/viewer-context';
import { Dialog } from '@/components/ui/dialog';
import { ApiForm, ConfirmForm } from '@/components/ui/api-form';
import { useChangeSettings } from '@/lib/settings/queries';
import { enterWords, leaveWords } from '@/lib/settings/text';
import { FLAG_WORDS } from '@/lib/view/text';
import { settingsChangeSchema } from '@/lib/settings/schema';
import type { FlagSetting } from '@/lib/settings/schema';
import { ThresholdFields, toThresholdChange, toThresholdValues } from './threshold-fields';

/** The change that a dialog makes. */
export type SettingTask =
  { kind: 'second-factor'; isRequired: boolean } | { kind: 'flag' | 'preset'; setting: FlagSetting };

const toTitle = (task: SettingTask): string => {
  switch (task.kind) {
    case 'second-factor':
      return task.isRequired
        ? 'Require a second factor of managers?'
        : 'Make the second factor optional for managers?';
    case 'flag':
      return `When to flag: ${FLAG_WORDS[task.setting.flag]}`;
    case 'preset':
      return `Back to the preset: ${FLAG_WORDS[task.setting.flag]}?`;
  }
};

interface SettingDialogProps {
  task: SettingTask;
  onClose: () => void;
}

/** One change of a setting. */
export const SettingDialog = ({ task, onClose }: SettingDialogProps) => (
  <Dialog title={toTitle(task)} isHeld={false} onClose={onClose}>
    <TaskForm task={task} onClose={onClose} />
  </Dialog>
);

const TaskForm = ({ task, onClose }: SettingDialogProps) => {
  const { mutateAsync: change } = useChangeSettings();
  switch (task.kind) {
    case 'second-factor':
      return (
        <ConfirmForm
          onClose={onClose}
          action={task.isRequired ? 'Require it' : 'Do not require it'}
          isDangerous={!task.isRequired}
          send={() => change({ isSecondFactorRequired: task.isRequired })}
        >
          <SecondFactorEffect isRequired={task.isRequired} />
        </ConfirmForm>
      );
    case 'flag':
      return (
        <ApiForm
          onCancel={onClose}
          action="Save"
          initialValues={toThresholdValues(task.setting)}
          toInput={toThresholdChange}
          schema={settingsChangeSchema}
          send={async (input) => {
            await change(input);
            onClose();
          }}
        >
          {(form) => <ThresholdFields form={form} setting={task.setting} />}
        </ApiForm>
      );
    case 'preset': {
      const { flag, preset } = task.setting;
      return (
        <ConfirmForm
          onClose={onClose}
          action="Use the preset"
          send={() => change({ flags: { [flag]: null } })}
        >
          <p>
            It is raised after {enterWords(preset)}, and cleared after {leaveWords(preset)}.
          </p>
        </ConfirmForm>
      );
    }
  }
};

const SecondFactorEffect = ({ isRequired }: { isRequired: boolean }) => {
  const { kind } = useViewer();
  if (!isRequired) return <p>Managers who have a second factor keep it, and may remove it.</p>;
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
