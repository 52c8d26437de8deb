'use client';

import { Button } from '@mantine/core';
import Link from 'next/link';
import { useState } from 'react';
import { PageFrame, Loaded, Section } from '@/components/kit/page-frame';
import { useSettings } from '@/lib/settings/queries';
import { SettingDialog, type SettingTask } from './setting-dialog';
import { FlagSettings, SecondFactorSetting, StartSettings } from './sections';

/** The server-wide settings: those that managers can change, and those from the environment. */
export const SettingsPage = () => {
  const query = useSettings();
  const [task, setTask] = useState<SettingTask | null>(null);
  return (
    <PageFrame
      title="Settings"
      lead="These settings apply to every fleet and every user on this server. The audit log records each change."
      error={query.error}
    >
      <Loaded query={query} heightPx={420}>
        {(settings) => (
          <>
            <Section
              title="Where the fleets come from"
              lead="The demo, a provider’s tracking API, or your own devices."
              actions={
                <Button component={Link} href="/fleet-source" prefetch={false} variant="default">
                  Fleet source
                </Button>
              }
            />
            <SecondFactorSetting settings={settings} onTask={setTask} />
            <FlagSettings settings={settings} onTask={setTask} />
            <StartSettings settings={settings} />
          </>
        )}
      </Loaded>
      {task === null ? null : <SettingDialog task={task} onClose={() => setTask(null)} />}
    </PageFrame>
  );
};
