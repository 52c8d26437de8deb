'use client';

import { Menu, UnstyledButton } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useState } from 'react';
import { CarrierHeading } from './carrier-heading';
import { useHasOtherFleets } from '@/components/fleet-state/fleet-context';
import { MENU } from '@/components/ui/menu';
import { useShortcuts } from '@/components/ui/use-shortcuts';
import { FleetItems } from './fleet-items';
import styles from './fleet-switcher.module.css';

/** The carrier of the fleet on the screen, and a menu of the others. */
export const FleetSwitcher = () => (useHasOtherFleets() ? <Switcher /> : <CarrierHeading />);

const Switcher = () => {
  const [isOpen, setOpen] = useState(false);

  useShortcuts({ g: () => setOpen(true) });
  return (
    <Menu {...MENU} position="bottom-start" width={320} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <UnstyledButton className={styles.target} aria-keyshortcuts="g" title="Another fleet (g)">
          <CarrierHeading />
          <IconSelector className={styles.sign} size={18} stroke={1.75} aria-hidden="true" />
          <span className="lh-unseen">, another fleet</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.dropdown}>
        <FleetItems />
      </Menu.Dropdown>
    </Menu>
  );
};
