'use client';

import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { AdminPage } from '@/components/admin/admin-page';
import { useSettings } from '@/lib/settings/queries';
import type { SettingsAnswer } from '@/lib/settings/schema';
import { FlagsCard } from './flags-card';
import { SecondFactorRule } from './second-factor-rule';
import { SettingDialog } from './setting-dialog';
import type { SettingTask } from './setting-dialog';
import { StartCard } from './start-card';

/** What holds for the whole server: what managers may change of it, and what it was started with. */
export const SettingsPage = () => {
  const { data, error } = useSettings();
  const [task, setTask] = useState<SettingTask | null>(null);
  return (
    <AdminPage
      title="Settings"
      lead="These hold for every fleet and everybody on this server. Each change is written to the audit log."
      error={error}
    >
      {data === undefined ? (
        error === null && <Skeleton height={420} radius="md" />
      ) : (
        <Sections settings={data} onTask={setTask} />
      )}
      {task === null ? null : <SettingDialog task={task} onClose={() => setTask(null)} />}
    </AdminPage>
  );
};

const Sections = ({
  settings,
  onTask,
}: {
  settings: SettingsAnswer;
  onTask: (task: SettingTask) => void;
}) => (
  <>
    <SecondFactorRule settings={settings} onTask={onTask} />
    <FlagsCard settings={settings} onTask={onTask} />
    <StartCard settings={settings} />
  </>
);
