'use client';

import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { readAgain } from '@/lib/browser/change';
import { useState } from 'react';
import { AddButton, PageFrame, Loaded } from '@/components/kit/page-frame';
import { RevokeAction, Table, createdColumn, revokedColumn } from '@/components/kit/table';
import { FormDialog } from '@/components/kit/dialog';
import { FleetFields, toFleetValues, toUsdots } from '@/components/kit/fleet-fields';
import { useViewer } from '@/components/layout/viewer-context';
import { useNowMs } from '@/components/ui/use-now';
import { fleetsText } from '@/lib/users/text';
import { formatMoment } from '@/lib/view/format';
import { createWallScreen, revokeWallScreen, useWallScreens } from '@/lib/wall-screens/queries';
import type { ScreenDistance } from '@/lib/wall-screens/distance';
import { newWallScreenSchema, type WallScreen } from '@/lib/wall-screens/schema';

const DISTANCE_LABELS: Record<ScreenDistance, string> = {
  desk: 'A desk, 3 ft away',
  wall: 'Across a room, 16 ft away',
  hall: 'Across a hall, 33 ft away',
};

type Task = { kind: 'add' } | { kind: 'revoke'; screen: WallScreen };

export const WallScreensPage = () => {
  const query = useWallScreens();
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <PageFrame
      title="Wall screens"
      actions={<AddButton onClick={() => setTask({ kind: 'add' })}>Add a screen</AddButton>}
      lead="A wall screen shows a fleet on a TV with its own link, without signing in: map, counts, what needs attention, and open alerts. It shows only the fleets that you choose, never notes or contacts, cannot change anything, and stays signed in until you revoke it."
      error={query.error}
    >
      <Loaded query={query}>
        {({ screens }) => (
          <ScreenTable screens={screens} onRevoke={(screen) => setTask({ kind: 'revoke', screen })} />
        )}
      </Loaded>
      {task?.kind === 'add' ? <AddScreen onClose={close} /> : null}
      {task?.kind === 'revoke' ? <RevokeScreen screen={task.screen} onClose={close} /> : null}
    </PageFrame>
  );
};

interface ScreenTableProps {
  screens: readonly WallScreen[];
  onRevoke: (screen: WallScreen) => void;
}

const ScreenTable = ({ screens, onRevoke }: ScreenTableProps) => {
  const nowMs = useNowMs();
  return (
    <Table
      label="Wall screens"
      empty="No wall screens yet."
      columns={[
        { label: 'Screen', name: ({ name }) => name },
        { label: 'Fleets', cell: ({ usdots }) => fleetsText(usdots) },
        {
          label: 'Read from',
          cell: ({ distance }) => DISTANCE_LABELS[distance],
          small: ({ isRotating }) => (isRotating ? 'Goes from region to region' : null),
        },
        createdColumn<WallScreen>(nowMs, ({ madeBy }) => madeBy),
        {
          label: 'Last seen',
          cell: ({ seenAtMs }) => (seenAtMs === null ? 'Never' : `About ${formatMoment(seenAtMs, nowMs)}`),
          small: ({ seenAddress }) => seenAddress,
        },
        revokedColumn(nowMs),
      ]}
      rows={screens}
      keyOf={({ id }) => id}
      isEnded={({ revokedAtMs }) => revokedAtMs !== null}
      actions={(screen) => <RevokeAction row={screen} onRevoke={onRevoke} />}
    />
  );
};

const AddScreen = ({ onClose }: { onClose: () => void }) => {
  const { usdots: ownUsdots } = useViewer();
  const queries = useQueryClient();
  return (
    <FormDialog
      title="Add a screen"
      action="Add the screen"
      onClose={onClose}
      initialValues={{
        name: '',
        distance: 'wall',
        isRotating: false,
        ...toFleetValues(ownUsdots, ownUsdots),
      }}
      toInput={({ name, distance, isRotating, ...fleets }) => ({
        ...{ name, isRotating, usdots: toUsdots(fleets) },
        distance: distance as ScreenDistance,
      })}
      schema={newWallScreenSchema}
      send={async (input) => {
        const made = await createWallScreen(input);
        await readAgain(queries, ['screens']);
        return made;
      }}
      once={{
        title: 'Copy the link',
        secrets: ({ token }) => [{ label: 'Link', text: `${window.location.origin}/screen#${token}` }],
        about: ({ screen }) => (
          <>
            <b>Open this link in the browser of {screen.name}.</b> It is shown only once. Anyone who has it
            can see these fleets.
          </>
        ),
      }}
    >
      {(form) => (
        <>
          <TextInput label="Name" description="Where it hangs." data-autofocus {...form.field('name')} />
          <FleetFields form={form} ownUsdots={ownUsdots} />
          <NativeSelect
            label="Read from"
            description="Sets the size of text and symbols."
            data={Object.entries(DISTANCE_LABELS).map(([value, label]) => ({ value, label }))}
            {...form.field('distance')}
          />
          <Checkbox
            label="Go from region to region"
            description="The map shows the whole fleet, then each region for 15 seconds."
            {...form.field('isRotating')}
            value="on"
            checked={form.values.isRotating}
          />
        </>
      )}
    </FormDialog>
  );
};

const RevokeScreen = ({ screen, onClose }: { screen: WallScreen; onClose: () => void }) => {
  const queries = useQueryClient();
  return (
    <FormDialog
      title={`Revoke “${screen.name}”`}
      action="Revoke the screen"
      isDangerous
      onClose={onClose}
      send={async () => {
        await revokeWallScreen(screen.id);
        await readAgain(queries, ['screens']);
      }}
    >
      <p>
        <b>{screen.name}</b> stops showing the map, and its link stops working. This cannot be undone.
      </p>
    </FormDialog>
  );
};
