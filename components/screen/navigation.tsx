'use client';

import { Menu, UnstyledButton } from '@mantine/core';
import {
  IconActivityHeartbeat,
  IconHelp,
  IconKeyboard,
  IconListDetails,
  IconMap2,
  IconMenu2,
} from '@tabler/icons-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { FleetItems } from '@/components/fleet-switcher/fleet-items';
import { toViewSearch } from '@/lib/view/view-state';
import { useUsdot, useViewWithPlace } from './fleet-context';
import { MENU } from './menu';
import styles from './navigation.module.css';
import { ThemeItems } from './theme-switch';

const HELP = '/help';

/** The pages of a fleet, and the server's own. The map is come back to as it was left. */
const useFleetPages = () => {
  const base = `/fleets/${useUsdot()}`;
  const path = usePathname();
  const view = useViewWithPlace();
  return [
    { words: 'Map', href: `${base}${toViewSearch(view)}`, Icon: IconMap2, isHere: path === base },
    { words: 'Roster', href: `${base}/roster`, Icon: IconListDetails, isHere: path === `${base}/roster` },
    { words: 'Status', href: '/status', Icon: IconActivityHeartbeat, isHere: false },
  ];
};

/** The rail at the left: where one can go, and the keys at its foot. */
export const Rail = ({ onHelp }: { onHelp: () => void }) => (
  <nav className={styles.rail} aria-label="Pages">
    {useFleetPages().map(({ words, href, Icon, isHere }) => (
      <Link
        key={words}
        href={href}
        prefetch={false}
        className={styles.item}
        aria-current={isHere ? 'page' : undefined}
      >
        <Icon size={22} stroke={1.75} aria-hidden="true" />
        {words}
      </Link>
    ))}
    <Link href={HELP} prefetch={false} className={`${styles.item} ${styles.foot}`}>
      <IconHelp size={22} stroke={1.75} aria-hidden="true" />
      Help
    </Link>
    <UnstyledButton className={styles.item} onClick={onHelp} aria-keyshortcuts="?">
      <IconKeyboard size={22} stroke={1.75} aria-hidden="true" />
      Keys
    </UnstyledButton>
  </nav>
);

/** The same and the colours in a menu, where there is no room for a rail. */
export const PhoneMenu = () => {
  const pages = useFleetPages();
  return (
    <Menu {...MENU} width={220}>
      <Menu.Target>
        <UnstyledButton className={styles.phoneMenu} aria-label="Menu">
          <IconMenu2 size={22} stroke={1.75} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.phoneItems}>
        <FleetItems />
        <Menu.Label>Pages</Menu.Label>
        {pages.map(({ words, href, Icon, isHere }) => (
          <Menu.Item
            key={words}
            component={Link}
            href={href}
            leftSection={<Icon size={18} stroke={1.75} />}
            aria-current={isHere ? 'page' : undefined}
          >
            {words}
          </Menu.Item>
        ))}
        <Menu.Item component={Link} href={HELP} leftSection={<IconHelp size={18} stroke={1.75} />}>
          Help
        </Menu.Item>
        <ThemeItems />
      </Menu.Dropdown>
    </Menu>
  );
};
