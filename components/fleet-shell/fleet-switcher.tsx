'use client';

import { Menu, UnstyledButton } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { CarrierHeading } from './carrier-heading';
import { useHasOtherFleets } from '@/components/fleet-state/fleet-context';
import { OVERLAID, isPlainKey, isTyping, isWithin } from '@/components/ui/keys';
import { MENU } from '@/components/ui/menu';
import { FleetItems } from './fleet-items';
import styles from './fleet-switcher.module.css';

/** Whose fleet this is; pressed, the others that there are. */
export const FleetSwitcher = () => (useHasOtherFleets() ? <Switcher /> : <CarrierHeading />);

const Switcher = () => {
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const openByKey = (event: KeyboardEvent) => {
      if (event.key !== 'g' || !isPlainKey(event) || isTyping(event.target)) return;
      if (isWithin(event.target, OVERLAID)) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', openByKey);
    return () => window.removeEventListener('keydown', openByKey);
  }, []);

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
