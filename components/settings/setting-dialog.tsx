'use client';

import { useViewer } from '@/components/layout/viewer-context';
import { Dialog } from '@/components/ui/dialog';
import { SendForm } from '@/components/ui/send-form';
import { useChangeSettings } from '@/lib/settings/queries';
import { enterWords, leaveWords } from '@/lib/settings/text';
import { FLAG_WORDS } from '@/lib/view/text';
import type { FlagSetting, SettingsChange } from '@/lib/settings/schema';
import { ThresholdFields, readThreshold } from './threshold-fields';

/** What is being changed, and to what. */
export type SettingTask =
  { kind: 'second-factor'; isRequired: boolean } | { kind: 'flag' | 'preset'; setting: FlagSetting };

const toTitle = (task: SettingTask): string => {
  switch (task.kind) {
    case 'second-factor':
      return task.isRequired ? 'Require a second factor of managers?' : 'Let managers do without?';
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
  const { mutateAsync } = useChangeSettings();
  const change = async (input: SettingsChange): Promise<void> => {
    await mutateAsync(input);
    onClose();
  };
  switch (task.kind) {
    case 'second-factor':
      return (
        <SendForm
          onCancel={onClose}
          action={task.isRequired ? 'Require it' : 'Let them do without'}
          isDangerous={!task.isRequired}
          send={() => change({ isSecondFactorRequired: task.isRequired })}
        >
          <SecondFactorWords isRequired={task.isRequired} />
        </SendForm>
      );
    case 'flag': {
      const { flag, threshold } = task.setting;
      return (
        <SendForm
          onCancel={onClose}
          action="Save"
          send={(fields) => change({ flags: { [flag]: readThreshold(fields, threshold) } })}
        >
          <ThresholdFields setting={task.setting} />
        </SendForm>
      );
    }
    case 'preset': {
      const { flag, preset } = task.setting;
      return (
        <SendForm onCancel={onClose} action="Use the preset" send={() => change({ flags: { [flag]: null } })}>
          <p>
            It is put up after {enterWords(preset)}, and taken down after {leaveWords(preset)}.
          </p>
        </SendForm>
      );
    }
  }
};

const SecondFactorWords = ({ isRequired }: { isRequired: boolean }) => {
  const { kind } = useViewer();
  if (!isRequired) return <p>Managers who have a second factor keep it, and may remove it.</p>;
  return (
    <>
      <p>
        From their next click on, managers who sign in by password and have no second factor can do nothing
        but set one up. Maps that they have open give way to that as well.
      </p>
      {kind === 'user' ? <p>If you have none yourself, you are led to set it up next.</p> : null}
    </>
  );
};
