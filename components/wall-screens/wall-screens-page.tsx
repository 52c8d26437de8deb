'use client';

import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { RevocableCells } from '@/components/admin/credential-cells';
import { Breakable } from '@/components/ui/breakable';
import { AdminPage } from '@/components/admin/admin-page';
import styles from '@/components/admin/admin-page.module.css';
import { AdminTable } from '@/components/admin/admin-table';
import table from '@/components/admin/admin-table.module.css';
import { useNowMs } from '@/components/ui/use-now';
import { useWallScreens } from '@/lib/wall-screens/queries';
import { momentWords } from '@/lib/view/clock';
import { fleetsWords } from '@/lib/users/text';
import type { WallScreen } from '@/lib/wall-screens/schema';
import { AddScreen, RevokeScreen } from './screen-dialogs';

type Task = { kind: 'add' } | { kind: 'revoke'; screen: WallScreen };

/** Wall screens: what is there, a new one, and the end of one. */
export const WallScreensPage = () => {
  const { data, error } = useWallScreens();
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <AdminPage
      title="Wall screens"
      actions={
        <Button leftSection={<IconPlus size={18} stroke={2} />} onClick={() => setTask({ kind: 'add' })}>
          Add a screen
        </Button>
      }
      lead="A screen on a wall opens the map by a link of its own, without an account. It reads the fleets that you give it, changes nothing, and stays signed in until you revoke it."
      error={error}
    >
      {data === undefined ? (
        error === null && <Skeleton height={180} radius="md" />
      ) : data.screens.length === 0 ? (
        <p className={styles.nothing}>There is no wall screen yet.</p>
      ) : (
        <ScreenTable screens={data.screens} onRevoke={(screen) => setTask({ kind: 'revoke', screen })} />
      )}
      {task?.kind === 'add' ? <AddScreen onClose={close} /> : null}
      {task?.kind === 'revoke' ? <RevokeScreen screen={task.screen} onClose={close} /> : null}
    </AdminPage>
  );
};

interface ScreenTableProps {
  screens: readonly WallScreen[];
  onRevoke: (screen: WallScreen) => void;
}

const ScreenTable = ({ screens, onRevoke }: ScreenTableProps) => {
  const nowMs = useNowMs();
  return (
    <AdminTable label="Wall screens" columns={['Screen', 'Fleets', 'Made', 'Last seen', 'State']}>
      {screens.map((screen) => {
        const { id, name, usdots, createdAtMs, madeBy, seenAtMs, seenAddress, revokedAtMs } = screen;
        return (
          <tr key={id} data-ended={revokedAtMs !== null}>
            <td className={table.name}>
              <Breakable text={name} />
            </td>
            <td data-head="Fleets">{fleetsWords(usdots)}</td>
            <td data-head="Made">
              {momentWords(createdAtMs, nowMs)}
              <span className={table.small}>
                <Breakable text={madeBy} />
              </span>
            </td>
            <td data-head="Last seen">
              {seenAtMs === null ? 'Never' : `About ${momentWords(seenAtMs, nowMs)}`}
              <span className={table.small}>{seenAddress}</span>
            </td>
            <RevocableCells {...screen} nowMs={nowMs} onRevoke={() => onRevoke(screen)} />
          </tr>
        );
      })}
    </AdminTable>
  );
};
