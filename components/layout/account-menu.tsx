'use client';

import { Menu, UnstyledButton } from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { leaveSignedOut } from './leaving';
import { MENU } from '@/components/ui/menu';
import styles from './account-menu.module.css';
import { useViewer } from './viewer-context';

/** Who is signed in, and the way out, as items of a menu. */
export const AccountItems = () => {
  const { kind, name, email } = useViewer();
  const [failure, setFailure] = useState<string | null>(null);
  return (
    <>
      <Menu.Label>Account</Menu.Label>
      <p className={styles.who}>
        {kind === 'demo'
          ? 'The demo opens signed in, as a manager, because this server can be reached from this machine alone.'
          : `${name}${email === null ? '' : `, ${email}`}`}
      </p>
      {kind === 'user' ? (
        <Menu.Item
          leftSection={<IconLogout size={18} stroke={1.75} />}
          closeMenuOnClick={false}
          onClick={() => void leaveSignedOut().catch((error: Error) => setFailure(error.message))}
        >
          Sign out
        </Menu.Item>
      ) : null}
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
    </>
  );
};

/** At the foot of the rail: who is signed in. */
export const AccountMenu = ({ className }: { className: string | undefined }) => {
  const { kind, name } = useViewer();
  return (
    <Menu {...MENU} position="right-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={className} aria-label={`Account: ${name}`}>
          <IconUserCircle size={22} stroke={1.75} aria-hidden="true" />
          <span className={styles.name}>{kind === 'demo' ? 'Demo' : name.split(' ', 1)[0]}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <AccountItems />
      </Menu.Dropdown>
    </Menu>
  );
};
