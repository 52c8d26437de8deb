'use client';

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import styles from '@/components/desk/desk-page.module.css';
import { SecretLine } from '@/components/desk/secret-line';
import { useNowMs } from '@/components/screen/use-now';
import { revokeWallScreen, useWallScreens } from '@/lib/queries/wall-screens';
import { momentWords } from '@/lib/view/clock';
import type { WallScreen } from '@/lib/wire/wall-screens';
import { NewScreenForm } from './new-screen-form';

/** Wall screens: what is there, a new one, and the end of one. */
export const WallScreensPage = () => {
  const { data, error } = useWallScreens();
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<{ name: string; link: string } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ['screens'] });
  const revoke = ({ id }: WallScreen) =>
    revokeWallScreen(id).then(refresh, (cause: Error) => setFailure(cause.message));
  const told = failure ?? error?.message ?? null;
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <h1 className={styles.title}>Wall screens</h1>
        <Button onClick={() => setAdding(true)} disabled={isAdding}>
          Add a screen
        </Button>
      </div>
      <p className={styles.lead}>
        A screen on a wall opens the map by a link of its own, without an account. It reads the fleets that
        you give it, changes nothing, and stays signed in until you revoke it.
      </p>
      {told === null ? null : (
        <p className={styles.failure} role="alert">
          {told}
        </p>
      )}
      {made === null ? null : (
        <section className={styles.nothing} aria-label={`Link of ${made.name}`}>
          <p role="status">
            <b>Open this link in the browser of {made.name}.</b> It is not shown again; whoever has it sees
            what the screen sees.
          </p>
          <SecretLine label="Link" text={made.link} />
        </section>
      )}
      {isAdding ? (
        <NewScreenForm
          onCancel={() => setAdding(false)}
          onMade={(name, token) => {
            setMade({ name, link: `${window.location.origin}/screen#${token}` });
            setAdding(false);
            void refresh();
          }}
        />
      ) : null}
      {data === undefined ? null : data.screens.length === 0 ? (
        <p className={styles.nothing}>There is no wall screen yet.</p>
      ) : (
        <ScreenTable screens={data.screens} onRevoke={(screen) => void revoke(screen)} />
      )}
    </div>
  );
};

interface ScreenTableProps {
  screens: readonly WallScreen[];
  onRevoke: (screen: WallScreen) => void;
}

const ScreenTable = ({ screens, onRevoke }: ScreenTableProps) => {
  const nowMs = useNowMs();
  return (
    <div className={styles.scroller} tabIndex={0} role="region" aria-label="Wall screens">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Screen</th>
            <th scope="col">Fleets</th>
            <th scope="col">Made</th>
            <th scope="col">Last seen</th>
            <th scope="col">
              <span className="lh-unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {screens.map((screen) => (
            <tr key={screen.id} data-ended={screen.revokedAtMs !== null}>
              <td className={styles.name}>{screen.name}</td>
              <td>{screen.usdots === null ? 'All' : screen.usdots.join(', ')}</td>
              <td>
                {momentWords(screen.createdAtMs, nowMs)}
                <span className={styles.small}>{screen.madeBy}</span>
              </td>
              <td>
                {screen.seenAtMs === null ? 'Never' : `About ${momentWords(screen.seenAtMs, nowMs)}`}
                <span className={styles.small}>{screen.seenAddress}</span>
              </td>
              <td>
                {screen.revokedAtMs === null ? (
                  <div className={styles.rowActions}>
                    <Button
                      variant="default"
                      aria-label={`Revoke ${screen.name}`}
                      onClick={() => onRevoke(screen)}
                    >
                      Revoke
                    </Button>
                  </div>
                ) : (
                  `Revoked ${momentWords(screen.revokedAtMs, nowMs)}`
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
