'use client';

import { Button, Box, Group } from '@mantine/core';
import { Link } from '@/components/ui/link';
import { useState } from 'react';
import { PageFrame, Loaded, Section } from '@/components/kit/page-frame';
import { Breakable, RowAction, Small, Table, type Column } from '@/components/kit/table';
import { useNowMs } from '@/components/ui/use-now';
import { useSettings } from '@/lib/settings/queries';
import type { FlagSetting, SettingsAnswer } from '@/lib/settings/schema';
import { enterText, isPreset, leaveText, startSettingText } from '@/lib/settings/text';
import { FLAG_MEANINGS } from '@/lib/view/explanations';
import { formatMoment } from '@/lib/view/format';
import { FLAG_LABELS } from '@/lib/view/text';
import { SettingDialog, type SettingTask } from './setting-dialog';
import { SigningKeys } from './signing-keys';

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
            <SigningKeys mayChange={settings.mayChange} />
            <StartSettings settings={settings} />
          </>
        )}
      </Loaded>
      {task === null ? null : <SettingDialog task={task} onClose={() => setTask(null)} />}
    </PageFrame>
  );
};

interface SettingsProps {
  settings: SettingsAnswer;
  onTask: (task: SettingTask) => void;
}

const LastChange = ({ changed }: { changed: SettingsAnswer['flagsChanged'] }) => {
  const nowMs = useNowMs();
  return changed === null ? null : (
    <Small>
      Last changed by <Breakable text={changed.by} />, {formatMoment(changed.atMs, nowMs)}.
    </Small>
  );
};

const SecondFactorSetting = ({ settings, onTask }: SettingsProps) => {
  const { isRequired, isFixed, changed } = settings.secondFactor;
  return (
    <Section
      title="Sign-in"
      lead="With a second factor, a stolen password is not enough: users also enter a code from an app. For users who sign in with a company account, the company decides."
    >
      <Group gap={16} px={16} py={14} bd="1px solid var(--lh-line)" bdrs={12} bg="var(--lh-surface)">
        <Box flex="1 1 300px">
          <b>{isRequired ? 'Managers need a second factor' : 'The second factor is optional'}</b>
          <br />
          {isRequired
            ? 'A manager without one has to set it up before anything else.'
            : 'Users can set one up on their account page.'}
        </Box>
        {isFixed ? (
          <Small>Set by REQUIRE_SECOND_FACTOR</Small>
        ) : settings.mayChange ? (
          <Button
            variant="default"
            onClick={() => onTask({ kind: 'second-factor', isRequired: !isRequired })}
          >
            {isRequired ? 'Make it optional…' : 'Require it for managers…'}
          </Button>
        ) : null}
      </Group>
      <LastChange changed={changed} />
    </Section>
  );
};

const FlagSettings = ({ settings, onTask }: SettingsProps) => (
  <Section
    title="Flags"
    lead="A flag is raised after the problem has lasted this long, and cleared after it has been gone this long. Longer times mean fewer flags that come and go; shorter times warn you sooner."
  >
    <Table
      label="Flags"
      columns={FLAG_COLUMNS}
      rows={settings.flags}
      keyOf={({ flag }) => flag}
      actions={(setting) => <FlagActions setting={setting} mayChange={settings.mayChange} onTask={onTask} />}
    />
    <LastChange changed={settings.flagsChanged} />
  </Section>
);

const toThresholdColumn = (
  label: string,
  toText: (threshold: FlagSetting['threshold']) => string,
): Column<FlagSetting> => ({
  label,
  cell: ({ threshold }) => toText(threshold),
  small: ({ threshold, preset }) =>
    toText(threshold) === toText(preset) ? null : `default: ${toText(preset)}`,
});

const FLAG_COLUMNS: Column<FlagSetting>[] = [
  { label: 'Flag', name: ({ flag }) => FLAG_LABELS[flag], small: ({ flag }) => FLAG_MEANINGS[flag] },
  toThresholdColumn('Raised after', enterText),
  toThresholdColumn('Cleared after', leaveText),
];

interface FlagActionsProps {
  setting: FlagSetting;
  mayChange: boolean;
  onTask: (task: SettingTask) => void;
}

const FlagActions = ({ setting, mayChange, onTask }: FlagActionsProps) => {
  const label = FLAG_LABELS[setting.flag];
  if (setting.isFixed) return <Small>Set by the environment</Small>;
  return mayChange ? (
    <>
      {isPreset(setting) ? null : (
        <RowAction label="Default…" of={label} onPress={() => onTask({ kind: 'preset', setting })} />
      )}
      <RowAction label="Change…" of={label} onPress={() => onTask({ kind: 'flag', setting })} />
    </>
  ) : null;
};

/** The settings from the server's environment, which only a restart changes. */
const StartSettings = ({ settings }: Pick<SettingsProps, 'settings'>) => (
  <Section
    title="Set at startup"
    lead="To change these, set the variables in the server’s environment and restart it. Secrets are not shown."
  >
    <Table
      label="Startup settings"
      columns={START_COLUMNS}
      rows={settings.start}
      keyOf={({ name }) => name}
    />
  </Section>
);

const START_COLUMNS: Column<SettingsAnswer['start'][number]>[] = [
  { label: 'Setting', name: ({ name, value }) => startSettingText(name, value).label },
  { label: 'Value', cell: ({ name, value }) => startSettingText(name, value).text },
  { label: 'Variable', className: 'lh-code', cell: ({ name }) => <Breakable text={name} /> },
];
